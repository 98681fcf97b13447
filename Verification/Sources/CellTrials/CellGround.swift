internal import ChildPrograms
internal import FaultProxy
public import Foundation
internal import PostgresClient
internal import ReferenceModel

/// Two cells, each with a PostgreSQL server of its own, and servers that have both.
public final class CellGround: Sendable {
    let clusters: [OwnCluster]
    let fleet: ServerFleet
    private let programs: URL
    private let folder: URL

    private static let settings = ["shared_buffers": "64MB"]
    private static let tokenKey = Data(repeating: 7, count: 32).base64EncodedString()

    /// Runs the body, and removes everything afterward.
    ///
    /// - Parameter programs: the folder with `landfall` and `landfall-server`.
    public static func use<Value: Sendable>(
        programs: URL, servers: Int = 2, _ body: (CellGround) async throws -> Value
    ) async throws -> Value {
        let folder = try ThrowawayFolder.create(for: "cells")
        return try await ending({ try folder.remove() }) {
            let first = try await OwnCluster(settings: settings)
            return try await ending({ try await first.remove() }) {
                let second = try await OwnCluster(settings: settings)
                return try await ending({ try await second.remove() }) {
                    let ground = CellGround([first, second], programs: programs, folder: folder.url)
                    defer { ground.fleet.stop() }
                    try await ground.addCells()
                    for _ in 0..<servers { try await ground.fleet.start() }
                    return try await body(ground)
                }
            }
        }
    }

    private init(_ clusters: [OwnCluster], programs: URL, folder: URL) {
        self.clusters = clusters
        self.programs = programs
        self.folder = folder
        fleet = ServerFleet(
            programs.appendingPathComponent("landfall-server"),
            database: Self.variables(clusters), dataFolder: folder)
    }

    private static func variables(_ clusters: some Collection<OwnCluster>) -> [String: String] {
        let cells = clusters.enumerated().map { #"{"cell":\#($0),"url":"\#($1.url)"}"# }
        return [
            "LANDFALL_DATABASE_CELLS": "[\(cells.joined(separator: ","))]", "LANDFALL_TOKEN_KEY": tokenKey,
        ]
    }

    private func addCells() async throws {
        try await run("migrate", variables: Self.variables(clusters.prefix(1)))
        try await run("cell", "add", "1", "--database", clusters[1].url)
    }

    // MARK: - Apps

    func makeApp(_ slug: String, in cell: Int) async throws -> CellApp {
        try await run("app", "create", slug, "--cell", "\(cell)")
        func key(_ kind: String) async throws -> String {
            let output = try await run("key", "create", "--app", slug, "--kind", kind)
            guard let key = output.split(separator: "\n").first(where: { $0.hasPrefix("lf_") }) else {
                throw CommandFailed(arguments: ["key", "create"], code: 0, output: output)
            }
            return String(key)
        }
        return CellApp(
            slug: slug, cell: cell, serverKey: try await key("server"), deviceKey: try await key("device"))
    }

    /// Runs the body with a connection to the database of a cell.
    func withConnection<Value: Sendable>(
        to cell: Int, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let url = clusters[cell].url
        return try await blocking { try body(try PostgresConnection(url: url)) }
    }

    // MARK: - Commands

    /// How a command ended, with its output and its notes.
    struct End {
        /// `nil` if it was killed.
        let code: Int32?
        let output: String
    }

    struct CommandFailed: Error {
        let arguments: [String]
        let code: Int32?
        let output: String
    }

    /// Runs a command that must succeed.
    @discardableResult
    func run(_ arguments: String..., variables: [String: String]? = nil) async throws -> String {
        let end = try await self.end(of: arguments, variables: variables)
        guard end.code == 0 else {
            throw CommandFailed(arguments: arguments, code: end.code, output: end.output)
        }
        return end.output
    }

    /// - Parameters:
    ///   - variables: instead of both cells.
    ///   - killedAfter: kills the command after this many microseconds, without warning.
    func end(
        of arguments: [String], variables: [String: String]? = nil, killedAfter: UInt32? = nil
    ) async throws -> End {
        let log = folder.appendingPathComponent("command-\(UUID().uuidString).log")
        let program = programs.appendingPathComponent("landfall")
        let environment = ServerProgram.environment(dataFolder: folder)
            .merging(variables ?? Self.variables(clusters)) { $1 }
        return try await blocking {
            let child = try ChildProgram.start(program, arguments, environment: environment, log: log)
            if let killedAfter {
                usleep(killedAfter)
                kill(child.pid, SIGKILL)
            }
            let code = child.waitForExitCode()
            defer { try? FileManager.default.removeItem(at: log) }
            return End(code: code, output: child.output)
        }
    }
}

/// An app, and the cell in which it was created.
struct CellApp: Sendable {
    let slug: String
    let cell: Int
    let serverKey: String
    let deviceKey: String
}
