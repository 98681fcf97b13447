// Instants and wording are part of every rule of this module.
@_exported public import Basics
