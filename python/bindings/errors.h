// The errors of the libraries as exceptions of Python: tacit.ConfigError, tacit.NetError, tacit.ProtocolError.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

// From here on, an Error that leaves a function of the module becomes the exception of that name in tacit.errors. The local
// detail of the error, which may hold values of this rank's own data, becomes its attribute `detail` and is in no message.
void translate_errors();

}  // namespace tacit::python
