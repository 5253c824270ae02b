// swift-tools-version: 6.0
import PackageDescription

// The manifest of `sondage-testing-swift`, for the tests of apps: the survey platform in the process. It is a package of its own,
// because a package manager downloads every binary of a package, and apps would download the platform with the client. A release
// fills in what is between the signs: `swift/xcframework.sh` prints the checksum.
let package = Package(
    name: "sondage-testing-swift",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "SondageTesting", targets: ["SondageTesting"]),
        .library(name: "SondageXCTest", targets: ["SondageXCTest"]),
    ],
    dependencies: [.package(url: "https://github.com/sondage/sondage-swift", exact: "@version@")],
    targets: [
        .binaryTarget(
            name: "SondageTestingFFI",
            url: "https://github.com/sondage/sondage/releases/download/v@version@/SondageTestingFFI.xcframework.zip",
            checksum: "@checksum@"),
        .target(
            name: "SondageTesting",
            dependencies: [.product(name: "Sondage", package: "sondage-swift"), "SondageTestingFFI"]),
        .target(
            name: "SondageXCTest", dependencies: [.product(name: "Sondage", package: "sondage-swift"), "SondageTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
