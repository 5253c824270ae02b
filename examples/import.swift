// Imports people from rows into a panel, each once, even if the program is killed and run again, on a platform
// in this process.

import Foundation
import Sondage
import SondageTesting

@main
struct Import {
    static func main() async throws {
        let box = try Sandbox.demo()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let people: [[String: FieldValue]] = [
            ["Email": "ada@example.com", "FirstName": "Ada", "CellPhoneNumber": "41791234567"],
            ["Email": "alan@example.com", "FirstName": "Alan"],
            ["Email": "grace@example.com", "FirstName": "Grace", "CellPhoneNumber": "0791234567"],
            ["Email": "ALAN@example.com", "FirstName": "Alan"],
        ]

        // The same call again resumes the import.
        let report = try await box.client().importMembers(
            panelId: box.panelId, rows: people, key: "Email", journal: folder.appendingPathComponent("people.journal").path)
        print(report.text)
        for row in report.rows {
            print("row \(row.row): \(row.status.rawValue) \(row.reason.map { "(\($0))" } ?? "")")
        }
    }
}
