// A stand-in for SwiftUI and for another library beside this one: names that they have, as public types and functions.

public struct Alignment {}
public struct Animation {}
public struct Axis {}
public struct Binding {}
public struct Button {}
public struct Color {}
public struct Divider {}
public struct Edge {}
public struct Environment {}
public struct Event {}
public struct Filter {}
public struct Font {}
public struct Form {}
public struct Gauge {}
public struct Grid {}
public struct Group {}
public struct Guard {}
public struct Image {}
public struct Label {}
public struct Layout {}
public struct Link {}
public struct List {}
public struct Menu {}
public struct Path {}
public struct Picker {}
public struct Scene {}
public struct Section {}
public struct Settings {}
public struct Shape {}
public struct Slider {}
public struct Spacer {}
public struct State {}
public struct Stepper {}
public struct Table {}
public struct Text {}
public struct Toggle {}
public struct Transaction {}
public struct View {}
public struct Visibility {}
public struct Window {}

public func column(_ name: String) -> String { name }
public func custom(_ name: String) -> String { name }
public func field(_ name: String) -> String { name }
public func panel(_ name: String) -> String { name }
public func question(_ name: String) -> String { name }
public func url(_ name: String) -> String { name }
