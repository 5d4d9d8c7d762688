//! Plug-in engines: engines of other people, each in a process of its own.
//!
//! No engine runs in our process. A shared library with the interface of the original program
//! is loaded by a child, `boardwright engine-host`, which speaks the protocol of `wire`; a
//! program that speaks UCI or one of its relatives is a child itself. Either is confined as far
//! as the system allows (`confine`), heard with deadlines and bounds (`process`), and asked for
//! moves through one interface, [`OutsideEngine`].
//!
//! Invariants: whatever a child does, a call returns within its time and half a second; a move
//! that is returned is legal; no process outlives the value that stands for it.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod confine;
mod fault;
mod guarded;
mod host;
mod library;
mod line;
mod native;
mod plugin_folder;
mod process;
mod wire;

pub use confine::Measure;
pub use fault::{PluginCall, PluginFault, code_words};
pub use guarded::{EngineSource, GuardedEngine, OutsideEngine};
pub use host::run_engine_host;
#[cfg(unix)]
pub use host::run_program_host;
pub use line::{LineStep, PlayedLine};
pub use native::{EngineVerdict, HostCommand, NativeEngine};
pub use plugin_folder::{EngineFile, MadeFor, PluginFolder};
pub use process::KilledOnDrop;
