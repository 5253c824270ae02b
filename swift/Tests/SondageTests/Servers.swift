import Foundation

#if canImport(Glibc)
import Glibc
private let stream = Int32(SOCK_STREAM.rawValue)
#else
private let stream = SOCK_STREAM
#endif

/// A server on this machine, with a thread for each connection.
final class Listener: Sendable {
    private let listening: Int32
    let url: String

    init(serve: @escaping @Sendable (FileHandle) -> Void) {
        let listening = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16 = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = bind(listening, generic, size)
                _ = listen(listening, 16)
                _ = getsockname(listening, generic, &size)
            }
            return UInt16(bigEndian: $0.pointee.sin_port)
        }
        self.listening = listening
        url = "http://127.0.0.1:\(port)"
        Thread.detachNewThread {
            while true {
                let caller = accept(listening, nil, nil)
                if caller < 0 { return }
                Thread.detachNewThread { serve(FileHandle(fileDescriptor: caller, closeOnDealloc: true)) }
            }
        }
    }

    deinit { shutdown(listening, Int32(SHUT_RDWR)) }
}

/// Accepts requests, never responds, and notices when its caller disconnects.
final class SilentServer: Sendable {
    private let requests = Counter()
    private let ends = Counter()
    private let listener: Listener

    var url: String { listener.url }
    var arrived: Bool { requests.value > 0 }
    var hungUp: Bool { ends.value > 0 }

    init() {
        let (requests, ends) = (self.requests, self.ends)
        listener = Listener { caller in
            while !caller.availableData.isEmpty { requests.add() }
            ends.add()
        }
    }
}

/// Gives the configured response, and records the requests.
final class Recorder: @unchecked Sendable {
    struct Request: Sendable {
        var path = ""
        var headers: [String: String] = [:]
        var body = Data()
    }

    private let lock = NSLock()
    private var answer = ""
    private var status = 200
    private var last = Request()
    private var listener: Listener?

    var url: String { listener!.url }
    var request: Request { lock.withLock { last } }

    init() {
        listener = Listener { [unowned self] caller in serve(caller) }
    }

    func answer(_ text: String, status: Int = 200) {
        lock.withLock { (answer, self.status, last) = (text, status, Request()) }
    }

    private func serve(_ caller: FileHandle) {
        var received = Data()
        while true {
            let more = caller.availableData
            if more.isEmpty { return }
            received += more
            guard let head = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            var request = Request()
            let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            request.path = lines[0].components(separatedBy: " ")[1]
            for line in lines.dropFirst() {
                let parts = line.components(separatedBy: ": ")
                request.headers[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
            }
            request.body = received[head.upperBound...]
            guard request.body.count >= Int(request.headers["content-length"] ?? "") ?? 0 else { continue }
            let (text, status) = lock.withLock {
                last = request
                return (answer, self.status)
            }
            let said = "HTTP/1.1 \(status) Said\r\nconnection: close\r\ncontent-length: \(text.utf8.count)\r\n\r\n\(text)"
            try? caller.write(contentsOf: Data(said.utf8))
            return
        }
    }
}
