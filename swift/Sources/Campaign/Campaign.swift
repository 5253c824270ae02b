// The cells of the campaign through the Swift client. `cargo xtask test campaign` runs it next to the hostile service,
// which hands out the cells and judges the reports.

import Foundation
import Sondage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Cell: Decodable, Sendable {
    let id: Int
    let baseUrl: String
    let proxy: String?
    let caPem: String?
    let token: String
    let path: String
    let others: [String]
    let size: Int
    let effect: String
    let attempts: Int64
    let deadlineMs: Double
    let retryAfterCapMs: Double
    let retryBaseMs: Double
    let retryCapMs: Double
    let answerBytes: Int64
}

struct Report: Encodable, Sendable {
    var kind: String?
    var delivery: String?
    var safeToRetry = false
    var attempts: Int32?
    var status: Int32?
    var errorCode: String?
    var retryAfter: TimeInterval?
    var message = ""
    var echo: String?
    var others: [Report] = []
}

struct Echo: Decodable {
    let echo: String?
}

@main
struct Campaign {
    static let control = ProcessInfo.processInfo.environment["CAMPAIGN_CONTROL"]!
    static let authority = FileManager.default.temporaryDirectory.appendingPathComponent("campaign-\(UUID()).pem")

    static func main() async throws {
        defer { try? FileManager.default.removeItem(at: authority) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 { group.addTask { try await work() } }
            try await group.waitForAll()
        }
    }

    static func work() async throws {
        while let text = try await ask("next") {
            let cell = try JSONDecoder().decode(Cell.self, from: text)
            var report = await call(cell, cell.path)
            // The calls that follow the first one, all at once, each by a client of its own.
            report.others = await withTaskGroup(of: Report.self) { group in
                for path in cell.others { group.addTask { await call(cell, path) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            _ = try await ask("report-\(cell.id)", try JSONEncoder().encode(report))
        }
    }

    static func call(_ cell: Cell, _ path: String) async -> Report {
        do {
            let token = cell.token
            let client = try Client(accountUrl: "https://acme.survalyzer-eu.app", settings: try settings(cell)) { token }
            let body = "{\"text\":\"\(String(repeating: "x", count: cell.size - 11))\"}"
            let effects: [String: Effect] = [
                "read": .read, "idempotent_write": .idempotentWrite, "create": .create, "schema_change": .schemaChange, "send": .send,
            ]
            let effect = effects[cell.effect]!
            let answer = try await client.raw(path: path, body: body, effect: effect)
            let echo = try? JSONDecoder().decode(Echo.self, from: Data(answer.text.utf8)).echo
            return Report(echo: echo)
        } catch let error as SondageError {
            let kind = Mirror(reflecting: error).children.first?.label ?? "Internal"
            return Report(
                kind: kind.prefix(1).uppercased() + kind.dropFirst(), delivery: "\(error.delivery)",
                safeToRetry: error.safeToRetry, attempts: error.attempts, status: error.status,
                errorCode: error.errorCode, retryAfter: error.retryAfter, message: error.message)
        } catch {
            return Report(kind: "Internal", message: "\(error)")
        }
    }

    static func settings(_ cell: Cell) throws -> ClientSettings {
        // This may run in another system, which does not have the campaign's file.
        if let pem = cell.caPem { try Data(pem.utf8).write(to: authority, options: .atomic) }
        return ClientSettings(
            baseUrl: cell.baseUrl, authUrl: cell.baseUrl, deadline: cell.deadlineMs / 1000, proxy: cell.proxy,
            caFile: cell.caPem == nil ? nil : authority.path, retryAttempts: cell.attempts,
            retryBase: cell.retryBaseMs / 1000, retryCap: cell.retryCapMs / 1000,
            retryAfterCap: cell.retryAfterCapMs / 1000, answerBytes: cell.answerBytes)
    }

    static func ask(_ path: String, _ body: Data? = nil) async throws -> Data? {
        var request = URLRequest(url: URL(string: "\(control)/\(path)")!)
        request.timeoutInterval = 120
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
        }
        return try await withCheckedThrowingContinuation { asked in
            URLSession.shared.dataTask(with: request) { data, _, error in
                if let error { return asked.resume(throwing: error) }
                asked.resume(returning: data.flatMap { $0.isEmpty ? nil : $0 })
            }.resume()
        }
    }
}
