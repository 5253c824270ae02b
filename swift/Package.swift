// swift-tools-version: 6.0
import PackageDescription

// Everything is in the language mode 6: the compiler has checked that what goes from task to task may.
// `cargo xtask package swift` puts these sources, and what uniffi writes, together under the target directory: target/swift.
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
    ]
)
