//! What the server answers to the requests of the protocol.

use crate::McpServer;
use crate::tools::CONFIRM;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, DiscoverResult,
    ErrorCode, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::borrow::Cow;
use tokio::sync::watch;

/// The versions that requests name themselves. Those that begin with a handshake are not among them.
const PER_REQUEST: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];

/// How long a client may keep the list of tools, in milliseconds. It changes only when the server is started with other options.
const KEPT_MS: u64 = 300_000;

/// The key of the server's name and version in a result.
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The methods that exist. Other parameters than theirs are an error of the parameters, not of the method.
const METHODS: [&str; 5] =
    ["initialize", "server/discover", "subscriptions/listen", "tools/call", "tools/list"];

/// A session with one client.
pub struct Session {
    pub server: McpServer,
    /// Closed when the client's input has ended.
    pub input: watch::Receiver<()>,
}

impl ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about())
            .with_instructions(self.server.instructions())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(PER_REQUEST)
    }

    /// Agrees on the version that the client requests, or else on the newest that has a handshake.
    async fn initialize(
        &self,
        mut client: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let requested = &client.protocol_version;
        if !requested.has_initialize() || !ProtocolVersion::KNOWN_VERSIONS.contains(requested) {
            client.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        }
        let info = self.get_info().with_protocol_version(client.protocol_version.clone());
        context.peer.set_peer_info(client);
        Ok(info)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        Ok(DiscoverResult::from_server_info(PER_REQUEST.to_vec(), self.get_info()).with_ttl_ms(KEPT_MS))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(wrong("There is no such page: the first one has all tools."));
        }
        let mut list = ListToolsResult::with_all_items(self.server.tools().to_vec());
        list.meta = meta(&context);
        if list.meta.is_some() {
            // The tools are those that the person who started the server allowed.
            list = list.with_ttl_ms(KEPT_MS).with_cache_scope(CacheScope::Private);
        }
        Ok(list)
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !McpServer::knows(&call.name) {
            return Err(wrong("There is no such tool. Nothing was sent. List the tools."));
        }
        let arguments = call.arguments.unwrap_or_default();
        let called = Box::pin(self.server.call(&call.name, &arguments));
        let result = if call.name == CONFIRM {
            // A confirmed write is completed even if the client no longer waits; a second confirmation then finds its result.
            called.await
        } else {
            let result = context.ct.run_until_cancelled(called).await;
            result.ok_or_else(|| ErrorData::internal_error("The call was cancelled.", None))?
        };
        Ok(result.with_meta(meta(&context)).into())
    }

    /// Nothing changes while the server runs, so it promises no notifications.
    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::default())
    }

    /// A subscription stays open until the client cancels it, or ends the session.
    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut input = self.input.clone();
        tokio::select! {
            () = subscription.cancelled() => {}
            _ = input.changed() => {}
        }
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(if METHODS.contains(&request.method.as_str()) {
            wrong("The parameters do not fit the method. Nothing was sent.")
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "There is no such method.", None)
        })
    }
}

fn wrong(why: &'static str) -> ErrorData {
    ErrorData::invalid_params(why, None)
}

/// The server's name and version.
fn about() -> Implementation {
    Implementation::new("sondage", env!("CARGO_PKG_VERSION"))
}

/// What the newest version has in every result, if the request is of it.
fn meta(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    context.meta.protocol_version()?;
    let mut meta = MetaObject::default();
    meta.insert(SERVER.to_owned(), serde_json::to_value(about()).unwrap_or_default());
    Some(meta)
}
