//! Data centers, and the data needed to connect to an account.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where an account is hosted.
// API 1.1
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataCenter {
    /// `swiss`
    Swiss,
    /// `eu`
    Eu,
}

impl DataCenter {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Swiss, Self::Eu];
}

impl fmt::Display for DataCenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Swiss => "swiss",
            Self::Eu => "eu",
        })
    }
}

/// A complete account of the sandbox: its addresses, its credentials and the ids of its contents.
///
/// The ids are the same in every sandbox. The credentials are new each time.
#[derive(Clone, Serialize)]
#[non_exhaustive]
pub struct Account {
    /// The address of the public API of its data center.
    pub base_url: String,
    /// The address of the authentication server of its data center.
    pub auth_url: String,
    /// The data center.
    pub data_center: DataCenter,
    /// The name of the account.
    pub tenant: String,
    /// The client id: `{tenant}_api`.
    // API 2.1
    pub client_id: String,
    /// The secret of that client, new in each sandbox.
    pub client_secret: String,
    /// A user with all permissions.
    pub username: String,
    /// That user's password, new in each sandbox.
    pub password: String,
    /// A user with read permissions only. The password is the same.
    pub reader: String,
    /// The panel. In the demo, `Newsletter readers`: 200 members.
    pub panel_id: i64,
    /// The survey with real answers. In the demo, the American National Election Study 1996: 944 completed interviews.
    pub survey_id: i64,
    /// A message template for invitations.
    pub message_template_id: i64,
    /// The workspace that holds the surveys.
    pub workspace_id: i64,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account")
            .field("tenant", &self.tenant)
            .field("data_center", &self.data_center)
            .field("base_url", &self.base_url)
            .field("auth_url", &self.auth_url)
            .field("client_id", &self.client_id)
            .field("username", &self.username)
            .field("panel_id", &self.panel_id)
            .field("survey_id", &self.survey_id)
            .finish_non_exhaustive()
    }
}

/// Everything that a program needs to connect to a sandbox and to control it. It serialises to one flat object.
#[derive(Serialize)]
pub struct Facts<'a> {
    #[serde(flatten)]
    pub(crate) account: &'a Account,
    /// The panel `Customers`: 12 members, with mandatory and unique fields.
    pub(crate) customer_panel_id: i64,
    /// The survey `Newsletter feedback`: 60 interviews in every state, with members behind them.
    pub(crate) feedback_survey_id: i64,
    /// The survey of `generated_interviews`, if that was set.
    pub(crate) generated_survey_id: Option<i64>,
    /// The survey of `data`, if that was set.
    pub(crate) data_survey_id: Option<i64>,
    /// The surveys of `content` and `surveys`: their ids by their names.
    pub(crate) survey_ids: &'a IndexMap<String, i64>,
    /// The folder in which it is kept, if it is.
    pub(crate) state: Option<&'a str>,
    /// How many bytes were left out at its end: of a change that was being written when a process was killed, and for which nobody got a
    /// response.
    pub(crate) state_cut_bytes: Option<u64>,
    /// The address of the console, to be opened in a browser. It contains the key of this run.
    pub(crate) console_url: &'a str,
    pub(crate) control_key: &'a str,
}

/// The folder in which a sandbox is kept, and what was found there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeptState {
    /// The folder.
    pub folder: String,
    /// Whether nothing was found.
    pub is_new: bool,
    /// The bytes at the end of the file that were left out: of a change that was being written when a process was killed, and for
    /// which nobody got a response.
    pub cut_bytes: u64,
}

/// Omits the control key.
impl fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").field("account", self.account).finish_non_exhaustive()
    }
}
