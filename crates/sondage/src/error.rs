//! placeholder
pub struct Error;
pub enum ErrorKind {}
pub enum Delivery {}
pub type Result<T> = std::result::Result<T, Error>;
