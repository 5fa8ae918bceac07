#include "launcher/run/metrics.h"

#include <fmt/format.h>

#include "launcher/event_json.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

// Escapes a label's value: the format has three escapes.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : net::printable(text)) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

class Lines {
 public:
  explicit Lines(const std::string& labels) : labels_(labels) {}

  void head(const char* name, const char* type, const char* help) {
    text_ += fmt::format("# HELP tacit_{} {}\n# TYPE tacit_{} {}\n", name, help, name, type);
  }
  template <typename Value>
  void value(const char* name, const Value& value, const std::string& more = "") {
    text_ += fmt::format("tacit_{}{{{}{}{}}} {}\n", name, labels_, more.empty() ? "" : ",", more, value);
  }
  template <typename Value>
  void one(const char* name, const char* type, const char* help, const Value& of) {
    head(name, type, help);
    value(name, of);
  }
  std::string take() { return std::move(text_); }

 private:
  const std::string& labels_;
  std::string text_;
};

}  // namespace

Metrics::Metrics(const std::string& job, int rank, std::int64_t epochs)
    : labels_(fmt::format("run=\"{}\",rank=\"{}\"", escaped(job), rank)), planned_(epochs) {}

void Metrics::begin(const std::string& phase) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
}

void Metrics::take(const gnn::EpochEvent& event) {
  const std::lock_guard lock(mutex_);
  epochs_ = event.epoch;
  if (event.loss) loss_ = event.loss;
  for (const gnn::EpochEvent::Reading& reading : event.readings) {
    readings_[name_of(reading.what)] = reading.value;
  }
  stated_rounds_ += event.cost.rounds;
  stated_bytes_ += event.cost.bytes;
  epoch_seconds_ = event.usage.seconds;
  cpu_seconds_ += event.usage.cpu_seconds;
  peak_memory_ = event.usage.peak_memory;
  if (!event.traffic) return;
  rounds_ += event.traffic->rounds;
  for (std::size_t peer = 0; peer < event.traffic->peers.size(); ++peer) {
    const net::PeerTraffic& moved = event.traffic->peers[peer];
    if (moved.payload_sent + moved.payload_received == 0) continue;
    peers_[peer].payload_sent += moved.payload_sent;
    peers_[peer].payload_received += moved.payload_received;
  }
}

void Metrics::checkpoint(std::int64_t epoch) {
  const std::lock_guard lock(mutex_);
  checkpoint_ = epoch;
}

void Metrics::privacy(const Json& account) {
  const std::lock_guard lock(mutex_);
  for (const Json& one : account["adversaries"]) {
    if (one["epsilon"].is_number()) epsilons_[one["who"].get<std::string>()] = one["epsilon"].get<double>();
  }
}

void Metrics::take(const gnn::AskedTurn& turn) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < turn.requests.size(); ++i) {
    ++asked_[{turn.asker, result_of(turn.objections[i])}];
    if (turn.refused_by[i] < 0) nodes_[turn.asker] += std::ssize(turn.requests[i]);
  }
}

void Metrics::answered(RequestResult result, double seconds) {
  const std::lock_guard lock(mutex_);
  Answers& answers = own_[result];
  ++answers.count;
  answers.seconds += seconds;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  Lines lines(labels_);
  lines.head("phase", "gauge", "The current phase of the rank has value 1.");
  lines.value("phase", 1, fmt::format("phase=\"{}\"", escaped(phase_)));
  lines.one("epochs_planned", "gauge", "Epochs in the job.", planned_);
  lines.one("epochs_done", "gauge", "Finished epochs in all sessions of the run.", epochs_);
  lines.one("checkpoint_epoch", "gauge", "The newest checkpoint of this session; 0: none.", checkpoint_);
  if (loss_)
    lines.one("training_loss", "gauge", "Training loss of the last epoch, if it is revealed to this rank.", *loss_);
  if (!readings_.empty()) lines.head("metric", "gauge", "The last metrics that were revealed to this rank.");
  for (const auto& [name, value] : readings_) lines.value("metric", value, fmt::format("metric=\"{}\"", escaped(name)));
  if (!epsilons_.empty()) {
    lines.head("privacy_epsilon", "gauge", "Epsilon of one record after all epochs of the job, by adversary.");
  }
  for (const auto& [who, epsilon] : epsilons_) {
    lines.value("privacy_epsilon", epsilon, fmt::format("adversary=\"{}\"", escaped(who)));
  }
  lines.one("epoch_seconds", "gauge", "Duration of the last epoch.", epoch_seconds_);
  lines.one("epoch_cpu_seconds_total", "counter", "Processor time of all epochs.", cpu_seconds_);
  lines.one("peak_memory_bytes", "gauge", "Largest resident memory so far.", peak_memory_);
  lines.one("rounds_total", "counter", "Measured rounds of all epochs.", rounds_);
  lines.one("stated_rounds_total", "counter", "Rounds of all epochs, as the protocols state them.", stated_rounds_);
  lines.one("stated_sent_bytes_total", "counter", "Bytes to parties in all epochs, as the protocols state them.",
            stated_bytes_);
  lines.head("sent_bytes_total", "counter", "Payload to each rank in all epochs, as measured.");
  for (const auto& [peer, moved] : peers_) {
    lines.value("sent_bytes_total", moved.payload_sent, fmt::format("peer=\"{}\"", peer));
  }
  lines.head("received_bytes_total", "counter", "Payload from each rank in all epochs, as measured.");
  for (const auto& [peer, moved] : peers_) {
    lines.value("received_bytes_total", moved.payload_received, fmt::format("peer=\"{}\"", peer));
  }
  if (!asked_.empty()) lines.head("requests_total", "counter", "Requests that reached the parties, by asking rank.");
  for (const auto& [asked, count] : asked_) {
    lines.value("requests_total", count, fmt::format("asker=\"{}\",result=\"{}\"", asked.first, word_of(asked.second)));
  }
  if (!nodes_.empty()) lines.head("request_nodes_total", "counter", "Nodes of the answered requests, by asking rank.");
  for (const auto& [asker, nodes] : nodes_) {
    lines.value("request_nodes_total", nodes, fmt::format("asker=\"{}\"", asker));
  }
  if (!own_.empty()) {
    lines.head("own_request_seconds", "summary", "Requests of this rank's users, from their arrival to their answer.");
  }
  for (const auto& [result, answers] : own_) {
    const std::string label = fmt::format("result=\"{}\"", word_of(result));
    lines.value("own_request_seconds_sum", answers.seconds, label);
    lines.value("own_request_seconds_count", answers.count, label);
  }
  return lines.take();
}

}  // namespace tacit::launcher
