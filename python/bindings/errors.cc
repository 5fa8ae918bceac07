#include "python/bindings/errors.h"

#include <exception>

#include "net/error.h"

namespace tacit::python {

namespace {

namespace py = pybind11;

void raise(const char* name, const Error& error, int culprit) {
  const py::object type = py::module_::import("tacit.errors").attr(name);
  py::object raised = type(py::str(error.what()));
  raised.attr("detail") = error.local_detail();
  raised.attr("culprit") = culprit < 0 ? py::object(py::none()) : py::object(py::int_(culprit));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ConfigError& error) {
    raise("ConfigError", error, -1);
  } catch (const NetError& error) {
    raise("NetError", error, error.culprit());
  } catch (const ProtocolError& error) {
    raise("ProtocolError", error, error.culprit());
  }
}

}  // namespace

void translate_errors() { py::register_local_exception_translator(&translate); }

}  // namespace tacit::python
