//! bindings/python
