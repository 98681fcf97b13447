internal import Foundation

/// One connection of the load generator. It has one request at a time and never blocks.
final class LoadConnection {
    enum Progress: Equatable {
        case underWay
        case responded(HTTPResponse)
        /// The connection was lost, and the response with it.
        case broken
    }

    /// The due time of the current request, in seconds since the beginning.
    private(set) var due = 0.0
    private(set) var eventCount = 0

    private let port: UInt16
    private var descriptor: Int32 = -1
    private var request: [UInt8] = []
    private var sentCount = 0
    private var reader = HTTPResponseReader()

    init(port: UInt16) {
        self.port = port
    }

    deinit { disconnect() }

    /// The events to poll for.
    var interest: pollfd {
        let isSending = sentCount < request.count
        return pollfd(fd: descriptor, events: Int16(isSending ? POLLIN | POLLOUT : POLLIN), revents: 0)
    }

    /// Starts the next request. Returns false if there is no connection.
    func start(_ traffic: inout OverloadTraffic, due: Double) -> Bool {
        self.due = due
        eventCount = traffic.write(to: &request)
        sentCount = 0
        if descriptor < 0, !connect() { return false }
        return send()
    }

    /// Does what is possible without waiting. After a broken connection, the next request opens a new one.
    func advance(_ buffer: inout [UInt8]) -> Progress {
        guard send() else { return broken() }
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN || errno == ENOTCONN || errno == EINTR { return .underWay }
            guard count > 0 else { return broken() }
            reader.append(buffer[..<count])
            do {
                guard let response = try reader.next() else { continue }
                if response.closes { disconnect() }
                return .responded(response)
            } catch {
                return broken()
            }
        }
    }

    func disconnect() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        reader = HTTPResponseReader()
    }

    private func broken() -> Progress {
        disconnect()
        return .broken
    }

    private func connect() -> Bool {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return false }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Foundation.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 || errno == EINPROGRESS
    }

    /// Returns false if the connection is broken.
    private func send() -> Bool {
        while sentCount < request.count {
            let count = request[sentCount...].withUnsafeBytes { bytes in
                Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
            }
            if count < 0 { return errno == EAGAIN || errno == EINPROGRESS || errno == EINTR }
            sentCount += count
        }
        return true
    }
}
