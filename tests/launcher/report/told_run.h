// ToldRun writes the folder of a run line by line, as ranks do, for tests of its readers.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "launcher/json.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {

class ToldRun {
 public:
  explicit ToldRun(int parties = 2, bool dealer = true) : parties_(parties), dealer_(dealer) {}

  std::filesystem::path path() const { return folder_.path(); }
  std::filesystem::path rank(int rank) const { return folder_.path() / fmt::format("rank{}", rank); }
  int parties() const { return parties_; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::app | std::ios::binary) << text;
  }
  void event(int rank, const Json& event) const {
    write(fmt::format("rank{}/events.jsonl", rank), event.dump() + "\n");
  }

  void started(int rank, const std::string& name = "told", const std::string& digest = "d1") const {
    event(rank, {{"time", "2026-11-21T23:43:35.688Z"},
                 {"event", "started"},
                 {"name", name},
                 {"command", "train"},
                 {"rank", rank},
                 {"role", rank < parties_ ? "party" : "dealer"},
                 {"parties", parties_},
                 {"epochs_planned", 10},
                 {"job_digest", digest},
                 {"versions", {{"tacit", "0.1.0"}}}});
  }

  // Every party sends each other party the bytes that the protocols stated; the dealer sends its stated bytes.
  void epoch(int rank, std::int64_t epoch, double loss, std::int64_t stated_bytes_off = 0) const {
    const bool party = rank < parties_;
    const std::int64_t others = party ? parties_ - 1 : parties_, to_each = party ? 100 : 50;
    Json peers = Json::object();
    for (int peer = 0; peer < parties_; ++peer) {
      if (peer != rank) {
        peers[std::to_string(peer)] = {{"payload_sent", to_each},
                                       {"payload_received", party ? 100 : 0},
                                       {"wire_sent", to_each + 10},
                                       {"messages_sent", 3},
                                       {"packets_sent", 4}};
      }
    }
    const auto stated = [&](std::int64_t value) { return party ? value : 0; };
    event(rank, {{"time", "2026-11-21T23:43:36.000Z"},
                 {"event", "epoch"},
                 {"epoch", epoch},
                 {"loss", party ? Json(loss) : Json(nullptr)},
                 {"readings", Json::array({{{"what", "test rmse"}, {"value", 10 * loss}, {"to", "everyone"}}})},
                 {"rate", 0.1},
                 {"seconds", 0.002 * static_cast<double>(rank + 1)},
                 {"cpu_seconds", 0.001},
                 {"peak_memory", 40'000'000},
                 {"stated",
                  {{"rounds", stated(7)},
                   {"bytes", stated(others * to_each + stated_bytes_off)},
                   {"messages", stated(3 * others)},
                   {"dealt_bytes", stated(dealer_ ? 50 * parties_ : 0)},
                   {"dealt_messages", stated(dealer_ ? 3 * parties_ : 0)}}},
                 {"measured", {{"rounds", party ? 7 : 0}, {"peers", peers}}}});
  }

  void finished(int rank) const {
    event(rank, {{"event", "phase"}, {"phase", "training"}, {"seconds", 1}});
    event(rank,
          {{"event", "revealed"},
           {"reveals", Json::array({{{"what", "training loss"}, {"to", "everyone"}, {"count", 3}, {"elements", 3}}})},
           {"decisions", Json::array({{{"what", "stop early"}, {"count", 2}}})}});
    event(rank, {{"event", "finished"}});
    write(
        fmt::format("rank{}/summary.json", rank),
        Json{{"result", "finished"}, {"seconds", 1.5}, {"stated_by_protocol", Json::array({stated_of_mask()})}}.dump());
  }

  // Trains all ranks, the dealer too if there is one, for `epochs` epochs.
  void train(int epochs) const {
    for (int rank = 0; rank < parties_ + (dealer_ ? 1 : 0); ++rank) {
      started(rank);
      for (int i = 1; i <= epochs; ++i) epoch(rank, i, 1.0 / i);
      finished(rank);
    }
  }

 private:
  Json stated_of_mask() const {
    Json stated = {{"protocol", "mask"}, {"calls", 4}, {"rounds", 4}, {"bytes", 400}};
    if (dealer_) {
      stated["dealt_bytes"] = 70;
    } else {
      stated["made_rounds"] = 3;
      stated["made_bytes"] = 150;
      stated["made_leakage"] = std::int64_t{3} << 44;
    }
    return stated;
  }

  TemporaryFolder folder_;
  int parties_;
  bool dealer_;
};

}  // namespace tacit::launcher
