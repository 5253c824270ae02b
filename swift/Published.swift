// swift-tools-version: 6.0
import PackageDescription

// The manifest of `sondage-swift`, for apps: `swift/xcframework.sh` prints the checksum, and a release fills in what is
// between the signs. The library of an app has neither blocking calls nor the receiving side of webhooks: `Server`. Tests use
// `sondage-testing-swift`, servers `sondage-server-swift`.
let package = Package(
    name: "sondage-swift",
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
