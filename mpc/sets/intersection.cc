#include "mpc/sets/intersection.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "mpc/kernels/workers.h"
#include "mpc/sealed/storage_key.h"
#include "mpc/sets/ristretto.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

using Points = std::vector<Point>;
using Indices = std::vector<std::size_t>;

constexpr std::size_t kBlock = 1 << 14;  // points in a message: 512 KiB
constexpr std::int64_t kGrain = 64;      // points that a thread takes at once

// A uniform order of 0 ... size-1, by Fisher and Yates.
Indices shuffled(std::size_t size) {
  Indices order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) {
    std::swap(order[i - 1], order[randombytes_uniform(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

class Intersecting {
 public:
  Intersecting(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options)
      : mesh_(mesh), group_(mesh), texts_(texts), options_(options), workers_(options.threads), n_(mesh.parties()) {}

  Intersection run() {
    agree_on_sizes_and_key();
    Intersection found;
    found.counts = counts_;
    if (n_ == 1) {
      for (std::size_t i = 0; i < texts_.size(); ++i) found.own.push_back(static_cast<std::int64_t>(i));
      return found;
    }
    Points finished = pass_round();
    const Points common = unwound(filtered(std::move(finished)));
    found.own = own_positions(common);
    return found;
  }

 private:
  int left() const { return group_.neighbour(-1); }
  int right() const { return group_.neighbour(1); }
  std::size_t count_of(int rank) const { return static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank)]); }

  [[noreturn]] static void deviates(int rank, std::string_view what) {
    throw ProtocolError(fmt::format("rank {} {}", rank, what), rank);
  }

  void agree_on_sizes_and_key() {
    TACIT_CHECK(sodium_init() >= 0);
    mesh_.set_step("common ids: agreeing on sizes");
    struct Said {
      std::int64_t count;
      std::array<std::byte, 32> fresh;
    };
    std::vector<Said> said(static_cast<std::size_t>(n_));
    Said& own = said[static_cast<std::size_t>(mesh_.rank())];
    own.count = std::ssize(texts_);
    randombytes_buf(own.fresh.data(), own.fresh.size());
    std::vector<net::Bytes> bytes;
    for (Said& one : said) bytes.push_back(std::as_writable_bytes(std::span(&one, 1)));
    net::all_gather(group_, bytes);
    for (int rank = 0; rank < n_; ++rank) {
      const std::int64_t count = said[static_cast<std::size_t>(rank)].count;
      if (count < 0 || count > kMostTexts) deviates(rank, "announced a number of ids that no party can have");
      counts_.push_back(count);
    }
    key_ = digest_of(std::as_bytes(std::span(said)));
    total_ = std::accumulate(counts_.begin(), counts_.end(), *std::min_element(counts_.begin(), counts_.end()));
  }

  Point own_point(std::size_t text) const { return point_of(std::as_bytes(std::span(texts_[text])), key_); }

  void count(std::size_t points) {
    done_ += static_cast<std::int64_t>(points);
    if (options_.on_progress) options_.on_progress(std::min(done_, total_), total_);
  }

  // Posts a receive for each block of a list that is to come.
  std::vector<net::Transfer> receive(int from, Points& list) {
    std::vector<net::Transfer> blocks;
    for (std::size_t at = 0; at < list.size(); at += kBlock) {
      const net::Bytes block = std::as_writable_bytes(std::span(list).subspan(at, std::min(kBlock, list.size() - at)));
      blocks.push_back(group_.receive(from, std::span(&block, 1)));
    }
    return blocks;
  }

  net::Transfer send(int to, std::span<const Point> points) {
    const net::ConstBytes block = std::as_bytes(points);
    return group_.send(to, std::span(&block, 1));
  }

  // out[i] = make(i) raised to our secret, block by block, each sent as soon as it is there. False: some point is none.
  template <typename Make>
  bool raise(const SecretScalar& secret, std::span<Point> out, const Make& make) {
    std::atomic<bool> valid = true;
    workers_.for_ranges(std::ssize(out), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        out[i] = make(i);
        if (!secret.multiply(out[i])) valid = false;
      }
    });
    count(out.size());
    return valid;
  }

  // n steps; the finished list of our right neighbour.
  Points pass_round() {
    Points in, out;
    for (int step = 0; step < n_; ++step) {
      mesh_.set_step(fmt::format("common ids: step {} of {} round the ring", step + 1, n_));
      const bool passes_on = step + 1 < n_;
      // Ours come first, then those of the ranks before us.
      out.resize(count_of(group_.neighbour(-step)));
      Points next(passes_on ? count_of(group_.neighbour(-step - 1)) : 0);
      std::vector<net::Transfer> receives = receive(left(), next), sends;
      const Indices order = shuffled(out.size());
      for (std::size_t at = 0; at < out.size(); at += kBlock) {
        const std::span<Point> block = std::span(out).subspan(at, std::min(kBlock, out.size() - at));
        const bool valid = raise(
            secret_, block, [&](std::size_t i) { return step == 0 ? own_point(order[at + i]) : in[order[at + i]]; });
        if (!valid) deviates(left(), "sent what is no point of ristretto255");
        if (passes_on) sends.push_back(send(right(), block));
      }
      for (net::Transfer& transfer : receives) group_.wait(transfer);
      for (net::Transfer& transfer : sends) group_.wait(transfer);
      if (passes_on) group_.count_rounds(1);
      in = std::move(next);
    }
    return out;
  }

  // A list whose length is not known before; at most `most`.
  Points receive_list(int from, std::size_t most) {
    std::int64_t size = 0;
    const net::Bytes header = std::as_writable_bytes(std::span(&size, 1));
    net::Transfer transfer = group_.receive(from, std::span(&header, 1));
    group_.wait(transfer);
    if (size < 0 || size > static_cast<std::int64_t>(most)) deviates(from, "announced a list longer than it can be");
    Points list(static_cast<std::size_t>(size));
    for (net::Transfer& block : receive(from, list)) group_.wait(block);
    group_.count_rounds(1);
    return list;
  }

  void send_list(const std::vector<int>& to, const Points& list) {
    const auto size = static_cast<std::int64_t>(list.size());
    const net::ConstBytes header = std::as_bytes(std::span(&size, 1));
    std::vector<net::Transfer> sends;
    for (const int rank : to) {
      sends.push_back(group_.send(rank, std::span(&header, 1)));
      for (std::size_t at = 0; at < list.size(); at += kBlock) {
        sends.push_back(send(rank, std::span(list).subspan(at, std::min(kBlock, list.size() - at))));
      }
    }
    for (net::Transfer& transfer : sends) group_.wait(transfer);
  }

  // Sorted, each once.
  static void expect_set(const Points& list, int from) {
    if (std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end()) return;
    deviates(from, "sent a list that is not in order, or has a point twice");
  }

  // At party n-2 what is in all lists; elsewhere nothing.
  Points filtered(Points finished) {
    mesh_.set_step("common ids: comparing lists");
    std::sort(finished.begin(), finished.end());
    if (std::adjacent_find(finished.begin(), finished.end()) != finished.end()) {
      deviates(left(), "sent a list with a point twice");
    }
    if (mesh_.rank() == n_ - 1) {
      send_list({0}, finished);
      return {};
    }
    const Points in_all_before = receive_list(left(), count_of(0));
    expect_set(in_all_before, left());
    Points kept;
    std::set_intersection(in_all_before.begin(), in_all_before.end(), finished.begin(), finished.end(),
                          std::back_inserter(kept));
    if (mesh_.rank() == n_ - 2) return kept;
    send_list({right()}, kept);
    return {};
  }

  // Begins at party n-2, ends at the party before it; then everybody has P(x) of what all hold, in the common order.
  Points unwound(Points list) {
    mesh_.set_step("common ids: taking the blinding off");
    const int first = n_ - 2, last = (n_ - 3 + n_) % n_, rank = mesh_.rank();
    const auto most = static_cast<std::size_t>(*std::min_element(counts_.begin(), counts_.end()));
    if (rank != first) list = receive_list(left(), most);
    const SecretScalar off = secret_.inverse();
    for (std::size_t at = 0; at < list.size(); at += kBlock) {
      const std::span<Point> block = std::span(list).subspan(at, std::min(kBlock, list.size() - at));
      if (!raise(off, block, [&](std::size_t i) { return block[i]; })) {
        deviates(left(), "sent what is no point of ristretto255");
      }
    }
    if (rank != last) {
      send_list({right()}, list);
      return receive_list(last, most);
    }
    std::vector<int> others;
    for (int other = 0; other < n_; ++other) {
      if (other != rank) others.push_back(other);
    }
    send_list(others, list);
    return list;
  }

  std::vector<std::int64_t> own_positions(const Points& common) {
    mesh_.set_step("common ids: finding our own");
    struct Named {
      Point point;
      std::int64_t text;
    };
    std::vector<Named> own(texts_.size());
    workers_.for_ranges(std::ssize(own), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        own[i] = {own_point(i), static_cast<std::int64_t>(i)};
      }
    });
    std::sort(own.begin(), own.end(), [](const Named& a, const Named& b) { return a.point < b.point; });
    std::vector<std::int64_t> positions;
    std::vector<bool> taken(own.size());
    for (const Point& point : common) {
      const auto found = std::lower_bound(own.begin(), own.end(), point,
                                          [](const Named& named, const Point& at) { return named.point < at; });
      if (found == own.end() || found->point != point || taken[static_cast<std::size_t>(found->text)]) {
        deviates((n_ - 3 + n_) % n_, "named common ids that this rank has not, or one of them twice");
      }
      taken[static_cast<std::size_t>(found->text)] = true;
      positions.push_back(found->text);
    }
    return positions;
  }

  net::Mesh& mesh_;
  net::Group group_;
  std::span<const std::string> texts_;
  const IntersectOptions& options_;
  Workers workers_;
  const int n_;
  const SecretScalar secret_;
  PointKey key_{};
  std::vector<std::int64_t> counts_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace

net::Cost intersect_cost(int rank, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& common) {
  const auto n = static_cast<int>(counts.size());
  if (n == 1) return {};
  const int first = n - 2, last = (n - 3 + n) % n;  // to take the blinding off
  constexpr auto kPointBytes = std::int64_t{sizeof(Point)}, kPoints = static_cast<std::int64_t>(kBlock);
  const auto points = [&](std::int64_t size) {
    return net::Cost{0, size * kPointBytes, (size + kPoints - 1) / kPoints};
  };
  const auto list = [&](std::int64_t size) {
    net::Cost cost = points(size);
    return cost += {0, 8, 1};
  };
  net::Cost cost{1, 40 * (n - 1), n - 1};
  for (int from = 0; from < n; ++from) {
    if (from != (rank + 1) % n) cost += points(counts[static_cast<std::size_t>(from)]);
  }
  cost.rounds += n - 1;
  if (rank < n - 1) cost.rounds += 1;
  if (rank != first) cost += list(common[rank == n - 1 ? 0 : static_cast<std::size_t>(rank) + 1]);
  cost.rounds += (rank != first ? 1 : 0) + (rank != last ? 1 : 0);
  for (int to = 0; to < (rank == last ? n - 1 : 1); ++to) cost += list(common.back());
  return cost;
}

Intersection intersect(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options) {
  TACIT_CHECK(mesh.world().is_party() && std::ssize(texts) <= kMostTexts);
  return Intersecting(mesh, texts, options).run();
}

}  // namespace tacit::mpc
