// swift-tools-version: 6.0
import PackageDescription

// All targets, the examples among them, use language mode 6: the compiler checks what tasks share.
// `cargo xtask package swift` puts these sources, and what uniffi writes, together under the target directory: target/swift.

// Programs of `examples`.
let examples = [
    "Distribution", "First", "Import", "Incentives", "Interviews", "InviteMembers", "Newcomers", "Reconcile", "Recording", "Screen",
    "Surveys", "Workflows",
]

let package = Package(
    name: "Sondage",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Sondage", targets: ["Sondage"]),
        // For tests: the survey platform in the process.
        .library(name: "SondageTesting", targets: ["SondageTesting"]),
        // The same as a base class of XCTest, for targets of tests.
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
        .executableTarget(name: "Campaign", dependencies: ["Sondage"]),
        // Names that SwiftUI has.
        .target(name: "AppleNames", path: "Tests/AppleNames"),
        .testTarget(
            name: "SondageTests",
            dependencies: ["AppleNames", "Sondage", "SondageTesting", "SondageXCTest"]
                + examples.map { .byName(name: $0) }),
    ] + examples.map { .executableTarget(name: $0, dependencies: ["Sondage", "SondageTesting"]) },
    swiftLanguageModes: [.v6]
)
