import AppleNames
import Sondage
import XCTest

/// This file imports both modules: a type or a function that both have is ambiguous, and the file does not compile.
final class NamesTests: XCTestCase {
    private struct Screen {
        let parts: (Alignment, Animation, Axis, Binding, Button, Color, Divider, Edge, Environment, Event)
        let more: (Filter, Font, Form, Gauge, Grid, Group, Guard, Image, Label, Layout, Link, List, Menu, Path)
        let others: (Picker, Scene, Section, Settings, Shape, Slider, Spacer, State, Stepper, Table, Text, Toggle)
        let last: (Transaction, View, Visibility, Window)
    }

    func testNamesOfSwiftUIAreFree() {
        XCTAssertTrue("\(Screen.self)".hasSuffix("Screen"))
        XCTAssertEqual([column("a"), custom("b"), field("c"), panel("d"), question("e"), url("f")].joined(), "abcdef")
    }

    func testWhatHadThoseNamesIsStillThere() throws {
        let visit: SurveySection = try ask.section(name: "Visit", elements: [])
        XCTAssertEqual(visit.elements, [])
        XCTAssertNil(ClientSettings().tenant)
        let event: WebHookEvent? = nil
        XCTAssertNil(event)
        XCTAssertEqual(try WebHookGuard().keys(), [])
        let filters: [ConditionFilter] = [
            .column("Id").isEqualTo(1), .custom("Source").isEqualTo("a"), .field("Age").isEqualTo(1), .panel("Age").isEqualTo(1),
            .question("Q1").isEqualTo(1), .url("source").isEqualTo("a"),
        ]
        let types = try filters.map { try $0.conditions()[0].conditionType.rawValue }
        XCTAssertEqual(types, ["SQL", "CustomVariable", "Panel", "Panel", "Question", "UrlVariable"])
        XCTAssertEqual(try Variable.url("source").isEqualTo("a").conditions()[0].identifier, "source")
    }
}
