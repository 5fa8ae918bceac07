#include "launcher/commands/bench_answer.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "bench/tables/bench_results.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

std::string command_of(const std::string& verb, const std::vector<std::pair<std::string, std::string>>& flags) {
  std::string command = "tacit bench " + verb;
  for (const auto& [flag, value] : flags) {
    if (!value.empty()) command += fmt::format(" {} {}", flag, value);
  }
  return command;
}

Answer run_benchmarks(const std::string& output, Console& console,
                      const std::vector<std::function<Measurements(Console&)>>& benchmarks) {
  const BenchResults results(output);
  results.expect_usable();
  Answer answer;
  answer.json = {{"measurements", Json::array()}};
  std::string page, times;
  for (const auto& benchmark : benchmarks) {
    const auto begin = std::chrono::steady_clock::now();
    Measurements measured = benchmark(console);
    measured.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    times += fmt::format("{}{} {}", times.empty() ? "" : ", ", measured.bench(), duration_text(measured.seconds()));
    results.write(measured);
    page = std::filesystem::absolute(results.write_page());
    answer.text += measured.text() + "\n";
    answer.json["measurements"].push_back(measured.json());
  }
  if (benchmarks.size() > 1) answer.text += fmt::format("time: {}\n", times);
  answer.text += fmt::format("report: {}\n", page);
  answer.json["report"] = page;
  return answer;
}

}  // namespace tacit::launcher
