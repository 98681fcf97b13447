// Statements and instants are part of every call of this module.
@_exported public import Basics
@_exported public import SQLFiles
