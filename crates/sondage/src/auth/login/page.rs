//! The page that the browser shows when it returns.

/// A complete HTTP response with a page.
pub(super) fn page(status: &str, title: &str, text: &str) -> String {
    answer(status, "default-src 'none'; style-src 'unsafe-inline'", &format!("<h1>{title}</h1><p>{text}</p>"))
}

/// A page for a browser that arrived without a code: browsers never send the part of a URL after `#`, so a script on
/// the page sends it.
pub(super) fn forward(nonce: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; form-action 'self'"
    );
    let body = format!(
        "<h1>One moment</h1><p id=\"text\">If nothing happens, this page did not come from a login.</p>\
         <form method=\"post\"></form><script nonce=\"{nonce}\">\
         const form = document.forms[0], pairs = new URLSearchParams(location.hash.slice(1));\
         for (const [name, value] of pairs) {{\
         const field = document.createElement('input'); field.type = 'hidden'; field.name = name; field.value = value;\
         form.append(field); }}\
         if (pairs.has('code') || pairs.has('error')) form.submit();</script>"
    );
    answer("200 OK", &policy, &body)
}

fn answer(status: &str, policy: &str, body: &str) -> String {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>sondage</title>\
         <style>body{{font:1.1em system-ui;margin:15vh auto;max-width:34em;padding:0 1em}}</style>{body}</html>"
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: {policy}\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{html}",
        html.len()
    )
}
