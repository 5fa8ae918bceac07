// tacit._core — the compiled part of the Python package. Programs use tacit.mpc and tacit.net instead.
#include <pybind11/pybind11.h>

#include "python/bindings/errors.h"
#include "python/bindings/mpc.h"
#include "python/bindings/net.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of tacit; use tacit.mpc and tacit.net.";
  module.attr("version") = TACIT_VERSION;
  tacit::python::translate_errors();
  tacit::python::define_mpc(module);
  tacit::python::define_net(module);
}
