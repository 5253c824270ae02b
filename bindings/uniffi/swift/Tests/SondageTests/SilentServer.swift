import Foundation

#if canImport(Glibc)
import Glibc
private let stream = Int32(SOCK_STREAM.rawValue)
#else
import Darwin
private let stream = SOCK_STREAM
#endif

/// A server that takes requests, never answers, and notices when its caller hangs up.
final class SilentServer: @unchecked Sendable {
    private let socket: Int32
    private let requests = Counter()
    private let ends = Counter()
    let url: String

    var arrived: Bool { requests.value > 0 }
    var hungUp: Bool { ends.value > 0 }

    init() throws {
        let listener = Glibc.socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16 = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = bind(listener, generic, size)
                _ = listen(listener, 16)
                _ = getsockname(listener, generic, &size)
            }
            return UInt16(bigEndian: $0.pointee.sin_port)
        }
        socket = listener
        url = "http://127.0.0.1:\(port)"
        let (requests, ends) = (self.requests, self.ends)
        Thread.detachNewThread {
            while true {
                let caller = accept(listener, nil, nil)
                if caller < 0 { return }
                Thread.detachNewThread {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while read(caller, &buffer, buffer.count) > 0 { requests.add() }
                    ends.add()
                    Glibc.close(caller)
                }
            }
        }
    }

    deinit { Glibc.close(socket) }
}
