// swift-tools-version: 6.0
// A package of somebody else: `cargo xtask package swift` puts it beside a copy of ours.
import PackageDescription

let package = Package(
    name: "Stranger",
    platforms: [.macOS(.v12)],
    dependencies: [.package(path: "../sondage")],
    targets: [
        .executableTarget(
            name: "Mine",
            dependencies: [
                .product(name: "Sondage", package: "sondage"), .product(name: "SondageTesting", package: "sondage"),
            ])
    ]
)
