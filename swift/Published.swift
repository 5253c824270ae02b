// swift-tools-version: 6.0
import PackageDescription

// The manifest of a published version, for apps: `swift/xcframework.sh` prints the checksum, and a release fills in what is
// between the signs. The library of an app has neither blocking calls nor the receiving side of webhooks: `Server`.
let package = Package(
    name: "Sondage",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Sondage", targets: ["Sondage"])],
    targets: [
        .binaryTarget(
            name: "SondageFFI",
            url: "https://github.com/sondage/sondage/releases/download/v@version@/SondageFFI.xcframework.zip",
            checksum: "@checksum@"),
        .target(
            name: "Sondage", dependencies: ["SondageFFI"], exclude: ["Server"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
    ],
    swiftLanguageModes: [.v6]
)
