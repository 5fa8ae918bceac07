// ExportFormat — the formats in which a revealed model is exported.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "launcher/model/described_model.h"

namespace tacit::launcher {

enum class ExportFormat { kNpz, kSafetensors, kOnnx };
inline constexpr gnn::WordTable<ExportFormat, 3> kExportFormats = {
    {{ExportFormat::kNpz, "npz"}, {ExportFormat::kSafetensors, "safetensors"}, {ExportFormat::kOnnx, "onnx"}}};

// The format by its name. Throws ConfigError.
ExportFormat parse_export_format(std::string_view name);
// The format by the ending of a file's name: npz unless the name ends in .safetensors or .onnx.
ExportFormat format_of(const std::filesystem::path& file);

void write_exported(const std::filesystem::path& path, const DescribedModel& model, ExportFormat format);

// Lines of Python that predict with the exported file. A sentence in front says which scaling the
// file leaves to the user.
std::string python_that_predicts(const DescribedModel& model, ExportFormat format, const std::string& file);

}  // namespace tacit::launcher
