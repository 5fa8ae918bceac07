// Signals of Python, heard while C++ works: Ctrl-C raises KeyboardInterrupt within a tenth of a second.
#pragma once

namespace tacit::python {

// Runs the handlers of signals that have arrived, on the main thread; on others it does nothing. Throws the exception of a
// handler. Call it without the interpreter's lock.
void hear_signals();

}  // namespace tacit::python
