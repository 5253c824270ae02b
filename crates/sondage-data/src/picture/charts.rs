//! Charts as SVG.

use super::svg::{Anchor, Svg};
use super::{Bar, Chart, Drawing, Groups, shortened};

const WIDTH: f64 = 720.0;
/// Where bars begin, beside their labels.
const LEFT: f64 = 220.0;
/// What is left for the values beside bars.
const RIGHT: f64 = 110.0;
const LINE: f64 = 24.0;
const THICK: f64 = 16.0;
/// Room for the title.
const TOP: f64 = 36.0;
/// The most bars or groups.
const MOST: usize = 40;
/// The most characters of a label beside a bar, and of the title.
const LABEL: usize = 32;
const TITLE: usize = 100;

pub(super) fn svg(drawing: &Drawing) -> String {
    let mut svg = Svg::new(WIDTH);
    svg.short_text((8.0, 20.0), Anchor::Start, &drawing.title, TITLE);
    let height = match &drawing.chart {
        Chart::Bars(bars) => horizontal(&mut svg, bars),
        Chart::Columns(bars) => vertical(&mut svg, bars),
        Chart::Stacked(groups) => stacked(&mut svg, groups),
        Chart::Grouped(groups) => grouped(&mut svg, groups),
    };
    svg.end(height, &drawing.title, &drawing.description)
}

fn largest(bars: &[Bar]) -> f64 {
    bars.iter().map(|bar| bar.value).filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// The part of the largest value that a value is.
fn part(value: f64, largest: f64) -> f64 {
    if largest > 0.0 && value.is_finite() { (value / largest).clamp(0.0, 1.0) } else { 0.0 }
}

fn more(svg: &mut Svg, y: f64, all: usize) -> f64 {
    if all <= MOST {
        return y + 8.0;
    }
    svg.text((LEFT, y + 13.0), Anchor::Start, None, &format!("… {} more", all - MOST));
    y + LINE + 8.0
}

fn horizontal(svg: &mut Svg, bars: &[Bar]) -> f64 {
    let largest = largest(bars);
    let mut y = TOP;
    for bar in bars.iter().take(MOST) {
        let length = part(bar.value, largest) * (WIDTH - LEFT - RIGHT);
        svg.short_text((LEFT - 8.0, y + 13.0), Anchor::End, &bar.label, LABEL);
        svg.bar((LEFT, y), (length, THICK), 0, &format!("{}: {}", bar.label, bar.shown));
        svg.text((LEFT + length + 6.0, y + 13.0), Anchor::Start, None, &bar.shown);
        y += LINE;
    }
    more(svg, y, bars.len())
}

#[allow(clippy::cast_precision_loss)] // at most some hundred bars
fn vertical(svg: &mut Svg, bars: &[Bar]) -> f64 {
    const HEIGHT: f64 = 180.0;
    let largest = largest(bars);
    let width = (WIDTH - 32.0) / bars.len().max(1) as f64;
    // Labels that would overlap are left out.
    let longest = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or_default();
    let every = ((longest as f64 * 7.0 + 8.0) / width).ceil().max(1.0);
    for (number, bar) in bars.iter().enumerate() {
        let (x, height) = (16.0 + width * number as f64, part(bar.value, largest) * HEIGHT);
        let gap = (width * 0.1).min(2.0);
        let at = (x + gap, TOP + 16.0 + HEIGHT - height);
        svg.bar(at, (width - 2.0 * gap, height), 0, &format!("{}: {}", bar.label, bar.shown));
        let middle = x + width / 2.0;
        if width > bar.shown.chars().count() as f64 * 7.0 {
            svg.text((middle, at.1 - 4.0), Anchor::Middle, None, &bar.shown);
        }
        if (number as f64 % every) < 0.5 {
            svg.text((middle, TOP + HEIGHT + 32.0), Anchor::Middle, None, &bar.label);
        }
    }
    TOP + HEIGHT + 44.0
}

/// The names of the parts, each beside its colour.
#[allow(clippy::cast_precision_loss)]
fn legend(svg: &mut Svg, parts: &[String]) -> f64 {
    let (mut x, mut y) = (8.0, TOP);
    for (number, part) in parts.iter().take(MOST).enumerate() {
        let name = shortened(part, LABEL);
        let width = 30.0 + name.chars().count() as f64 * 7.0;
        if x + width > WIDTH && x > 8.0 {
            (x, y) = (8.0, y + 20.0);
        }
        svg.bar((x, y), (12.0, 12.0), number, part);
        svg.short_text((x + 17.0, y + 11.0), Anchor::Start, part, LABEL);
        x += width;
    }
    y + 28.0
}

fn stacked(svg: &mut Svg, groups: &Groups) -> f64 {
    let mut y = legend(svg, &groups.parts);
    for (label, shares) in groups.groups.iter().take(MOST) {
        svg.short_text((LEFT - 8.0, y + 13.0), Anchor::End, label, LABEL);
        let mut x = LEFT;
        for (number, (share, part)) in shares.iter().zip(&groups.parts).enumerate() {
            let length = share.clamp(0.0, 100.0) / 100.0 * (WIDTH - LEFT - 16.0);
            if length > 0.0 {
                svg.bar((x, y), (length, THICK), number, &format!("{label}, {part}: {share:.1} %"));
            }
            if length > 34.0 {
                svg.text(
                    (x + length / 2.0, y + 12.5),
                    Anchor::Middle,
                    Some(number),
                    &format!("{share:.0} %"),
                );
            }
            x += length;
        }
        y += LINE;
    }
    more(svg, y, groups.groups.len())
}

fn grouped(svg: &mut Svg, groups: &Groups) -> f64 {
    let mut y = legend(svg, &groups.parts);
    for (label, shares) in groups.groups.iter().take(MOST) {
        svg.short_text((LEFT - 8.0, y + 13.0), Anchor::End, label, LABEL);
        for (number, (share, part)) in shares.iter().zip(&groups.parts).enumerate() {
            let length = share.clamp(0.0, 100.0) / 100.0 * (WIDTH - LEFT - RIGHT);
            svg.bar((LEFT, y), (length, THICK), number, &format!("{label}, {part}: {share:.1} %"));
            svg.text((LEFT + length + 6.0, y + 12.5), Anchor::Start, None, &format!("{share:.1} %"));
            y += THICK + 2.0;
        }
        y += 10.0;
    }
    more(svg, y, groups.groups.len())
}
