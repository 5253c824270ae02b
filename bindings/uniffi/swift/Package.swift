// swift-tools-version: 6.0
import PackageDescription

// `cargo xtask package swift` puts these sources, and what uniffi writes, together under the target directory: target/swift.
let package = Package(
    name: "Sondage",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Sondage", targets: ["Sondage"])],
    targets: [
        .systemLibrary(name: "SondageFFI"),
        // What uniffi writes is not clean in the Swift 6 mode. Whoever uses the library may use it.
        .target(
            name: "Sondage",
            dependencies: ["SondageFFI"],
            swiftSettings: [.swiftLanguageMode(.v5)],
            linkerSettings: [.linkedLibrary("sondage_mobile")]
        ),
        .executableTarget(name: "InviteMembers", dependencies: ["Sondage"]),
        .testTarget(name: "SondageTests", dependencies: ["Sondage", "InviteMembers"]),
    ]
)
