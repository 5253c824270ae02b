// swift-tools-version: 6.0
import PackageDescription

// The manifest of `sondage-server-swift`, for servers and tools on Linux and macOS: with blocking calls, the receiving side of
// webhooks, and the survey platform for tests. `cargo xtask package swift` packs it. The linker finds the two libraries where
// `-Xlinker -L` says: a package manager cannot download them for Linux.
let package = Package(
    name: "sondage-server-swift",
    platforms: [.macOS(.v12)],
    products: [
        .library(name: "SondageServer", targets: ["Sondage"]),
        .library(name: "SondageTesting", targets: ["SondageTesting"]),
        .library(name: "SondageXCTest", targets: ["SondageXCTest"]),
    ],
    targets: [
        .systemLibrary(name: "SondageFFI"),
        .target(
            name: "Sondage", dependencies: ["SondageFFI"], resources: [.copy("PrivacyInfo.xcprivacy")],
            linkerSettings: [.linkedLibrary("sondage_mobile")]),
        .systemLibrary(name: "SondageTestingFFI"),
        .target(
            name: "SondageTesting", dependencies: ["Sondage", "SondageTestingFFI"],
            linkerSettings: [.linkedLibrary("sondage_testing")]),
        .target(name: "SondageXCTest", dependencies: ["Sondage", "SondageTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
