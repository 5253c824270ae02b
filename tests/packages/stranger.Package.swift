// swift-tools-version: 6.0
// A package of somebody else: `cargo xtask package swift` puts it beside a copy of ours.
import PackageDescription

func ours(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "sondage-server-swift") }
}

let package = Package(
    name: "Stranger",
    platforms: [.macOS(.v12)],
    dependencies: [.package(path: "../sondage-server-swift")],
    targets: [
        .executableTarget(name: "Mine", dependencies: ours("SondageServer", "SondageTesting")),
        .testTarget(name: "MineTests", dependencies: ours("SondageServer", "SondageXCTest")),
    ]
)
