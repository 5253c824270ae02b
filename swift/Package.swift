// swift-tools-version: 6.0
import PackageDescription

// All targets, including the example, use language mode 6: the compiler checks what tasks share. `cargo xtask package swift`
// assembles these sources and uniffi's output under the target directory: target/swift.
let package = Package(
    name: "Sondage",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Sondage", targets: ["Sondage"])],
    targets: [
        .systemLibrary(name: "SondageFFI"),
        .target(
            name: "Sondage", dependencies: ["SondageFFI"], linkerSettings: [.linkedLibrary("sondage_mobile")]),
        .executableTarget(name: "InviteMembers", dependencies: ["Sondage"]),
        .executableTarget(name: "Campaign", dependencies: ["Sondage"]),
        .testTarget(name: "SondageTests", dependencies: ["Sondage", "InviteMembers"]),
    ],
    swiftLanguageModes: [.v6]
)
