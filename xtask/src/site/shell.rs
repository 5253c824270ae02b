//! The frame of all pages: the menu, the search, and the neighbours.

use super::markdown::SitePage;
use super::pages;
use std::fmt::Write as _;

/// Styles of the site in addition to those of the console.
pub const STYLE: &str = include_str!("site.css");

/// The complete HTML document of a page.
pub fn document(all: &[SitePage], number: usize) -> String {
    let page = &all[number];
    let home = "../".repeat(page.place.output().matches('/').count());
    let (title, description) = (escaped(&page.title), escaped(&short(&page.description)));
    let menu = menu(all, number, &home);
    let around = around(all, number, &home);
    let body = &page.body;
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - sondage</title>\n<meta name=\"description\" content=\"{description}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"{home}style.css\">\n\
         <script src=\"{home}search.js\" defer></script>\n<script src=\"{home}site.js\" defer></script>\n</head>\n\
         <body class=\"framed\" data-home=\"{home}\">\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header class=\"top\"><a class=\"brand\" href=\"{home}index.html\">sondage</a>\n\
         <p role=\"search\" hidden><label>Search <input type=\"search\" autocomplete=\"off\"></label></p>\n\
         <ul id=\"found\" aria-live=\"polite\"></ul>\n{menu}</header>\n\
         <main id=\"main\" tabindex=\"-1\">\n{body}{around}</main>\n\
         <footer>An independent library. Every program on these pages that has a file is run by the tests.</footer>\n\
         </body>\n</html>\n"
    )
}

/// The menu. The section with this page is open.
fn menu(all: &[SitePage], number: usize, home: &str) -> String {
    let mut out = String::from("<nav aria-label=\"Pages\">\n");
    for part in pages::parts() {
        let here = all[number].place.part == part;
        let _ = writeln!(out, "<details{}><summary>{part}</summary><ul>", if here { " open" } else { "" });
        for (at, page) in all.iter().enumerate().filter(|(_, page)| page.place.part == part) {
            let current = if at == number { " aria-current=\"page\"" } else { "" };
            let (address, title) = (page.place.output(), escaped(&page.title));
            let _ = writeln!(out, "<li><a href=\"{home}{address}\"{current}>{title}</a></li>");
        }
        out.push_str("</ul></details>\n");
    }
    out + "</nav>"
}

/// Links to the previous and the next page.
fn around(all: &[SitePage], number: usize, home: &str) -> String {
    let link = |page: &SitePage, rel: &str, word: &str| {
        let (address, title) = (page.place.output(), escaped(&page.title));
        format!("<a rel=\"{rel}\" href=\"{home}{address}\">{word}: {title}</a>")
    };
    let before = number.checked_sub(1).map(|before| link(&all[before], "prev", "Before"));
    let after = all.get(number + 1).map(|after| link(after, "next", "Next"));
    let links: Vec<_> = before.into_iter().chain(after).collect();
    format!("<nav class=\"around\" aria-label=\"Neighbours\">{}</nav>\n", links.join(" "))
}

/// At most 160 characters, cut at a word boundary.
fn short(text: &str) -> String {
    if text.chars().count() <= 160 {
        return text.to_owned();
    }
    let cut: String = text.chars().take(157).collect();
    format!("{}...", cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words))
}

/// Escapes a text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
