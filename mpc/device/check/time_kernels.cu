#include "mpc/device/check/time_kernels.h"

#include <cerrno>
#include <cstring>
#include <functional>

#include "mpc/device/aes_stream.h"
#include "mpc/device/bit_planes.h"
#include "mpc/device/check/device_memory.h"
#include "mpc/device/elementwise.h"
#include "mpc/device/packing.h"
#include "mpc/device/ring_product.h"

namespace tacit::mpc::device {

namespace {

constexpr int kRuns = 9, kUncounted = 2;

// Milliseconds of each run, by the device's events.
std::vector<double> timed(const std::function<int()>& work) {
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "an event");
  must(cudaEventCreate(&end), "an event");
  std::vector<double> all;
  for (int i = -kUncounted; i < kRuns; ++i) {
    must(cudaEventRecord(begin), "an event");
    must(work(), "the start of a timed kernel");
    must(cudaEventRecord(end), "an event");
    must(cudaEventSynchronize(end), "a timed kernel");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, begin, end), "an event");
    if (i >= 0) all.push_back(ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return all;
}

class Table {
 public:
  // `amount` of `unit` happens in one run.
  void add(const std::string& what, const std::string& kernel, std::vector<double> ms, double amount,
           const std::string& unit) {
    const std::string runs = list(ms);
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2];
    std::printf("%-32s %-12s %10.4f ms %10.2f %s\n", what.c_str(), kernel.c_str(), median, amount / median * 1e3,
                unit.c_str());
    char rate[64];
    std::snprintf(rate, sizeof rate, "%.6g", amount / median * 1e3);
    rows_ += (rows_.empty() ? "" : ",\n") + std::string("   {\"labels\":{\"what\":\"") + what + "\",\"kernel\":\"" +
             kernel + "\"},\"figures\":{\"time\":{\"unit\":\"ms\",\"median\":" + list({median}) +
             ",\"min\":" + list({ms.front()}) + ",\"max\":" + list({ms.back()}) + ",\"runs\":[" + runs +
             "]},\"rate\":{\"unit\":\"" + unit + "\",\"median\":" + rate + "}}}";
  }
  const std::string& rows() const { return rows_; }

 private:
  static std::string list(const std::vector<double>& values) {
    std::string text;
    for (const double v : values) {
      char one[64];
      std::snprintf(one, sizeof one, "%s%.6g", text.empty() ? "" : ",", v);
      text += one;
    }
    return text;
  }
  std::string rows_;
};

void randomise(const DeviceMemory& memory, int processors) {
  const unsigned char key[16] = {1}, counter[16] = {2};
  must(draw(expand(key, counter), Draw::kFill, memory.words(), memory.count(), ~Word{0}, 0, processors, Stream{}),
       "the start of a stream");
}

struct Shape {
  std::int64_t rows, depth, cols;
  bool left_transposed = false;
};

void time_products(Table& table, const Card& card) {
  for (const Shape s :
       {Shape{4096, 4096, 4096}, Shape{8192, 8192, 8192}, Shape{169343, 128, 256}, Shape{128, 169343, 256, true},
        Shape{2708, 1433, 16}, Shape{1433, 2708, 16, true}, Shape{1000000, 602, 128}, Shape{602, 1000000, 128, true},
        Shape{20000, 20000, 16}, Shape{20000, 20000, 64}, Shape{512, 512, 512}}) {
    const DeviceMemory a(s.rows * s.depth), b(s.depth * s.cols), out(s.rows * s.cols);
    for (const DeviceMemory* m : {&a, &b, &out}) randomise(*m, card.processors);
    const DeviceView left = s.left_transposed ? DeviceView{a.words(), s.rows, s.depth, 1, s.rows}
                                              : DeviceView{a.words(), s.rows, s.depth, s.depth, 1};
    const DeviceView right{b.words(), s.depth, s.cols, s.cols, 1};
    const double tera = static_cast<double>(s.rows) * static_cast<double>(s.depth) * static_cast<double>(s.cols) / 1e12;
    for (const int bits : {64, 51, 38}) {
      const std::string what = std::string(s.left_transposed ? "T " : "") + std::to_string(s.rows) + "x" +
                               std::to_string(s.depth) + "x" + std::to_string(s.cols) + " k=" + std::to_string(bits);
      const auto time = [&](const char* name, decltype(&product_by_words) product) {
        table.add(what, name,
                  timed([&] { return product(left, right, Into::kAdd, out.words(), bits, card.processors, Stream{}); }),
                  tera, "T multiply-adds/s");
      };
      time("warps", product_by_warps);
      if (card.hopper) time("warpgroups", product_by_warpgroups);
      if (bits == 64) time("words", product_by_words);
    }
    settle();
  }
}

void time_words(Table& table, int processors) {
  constexpr std::int64_t kCount = 1 << 27;
  const double giga = kCount / 1e9;
  const DeviceMemory words(kCount), packed(kCount), planes(26 * (kCount / 64));
  const unsigned char key[16] = {9}, counter[16] = {8};
  const StreamKey stream = expand(key, counter);
  for (const Draw how : {Draw::kFill, Draw::kAdd}) {
    table.add(how == Draw::kFill ? "AES stream, fill" : "AES stream, add", "aes_stream",
              timed([&] { return draw(stream, how, words.words(), kCount, ~Word{0}, 0, processors, Stream{}); }),
              8 * giga, "GB/s");
  }
  for (const int bits : {51, 26, 13}) {
    const std::string ring = ", k=" + std::to_string(bits);
    table.add("pack" + ring, "packing",
              timed([&] { return pack(words.words(), kCount, bits, packed.words(), processors, Stream{}); }), giga,
              "G words/s");
    table.add("unpack and add" + ring, "packing", timed([&] {
                return unpack(packed.words(), Unpack::kAdd, kCount, bits, words.words(), processors, Stream{});
              }),
              giga, "G words/s");
  }
  table.add("26 bit planes", "bit_planes", timed([&] {
              return bit_planes(words.words(), kCount, 0, 26, planes.words(), kCount / 64, processors, Stream{});
            }),
            giga, "G words/s");
  const DropBits drop{words.words(), packed.words(), 13, 4096, ~Word{0}};
  table.add("drop", "elementwise", timed([&] { return for_each(drop, kCount, processors, Stream{}); }), giga,
            "G words/s");
  const DeviceMemory c(kCount), d(kCount), e(kCount), out(kCount);
  for (const DeviceMemory* m : {&words, &packed, &c, &d, &e}) randomise(*m, processors);
  const PartyProduct product{words.words(), packed.words(), c.words(), d.words(),
                             e.words(),     out.words(),    ~Word{0},  mask_of(55)};
  table.add("party's product", "elementwise", timed([&] { return for_each(product, kCount, processors, Stream{}); }),
            giga, "G words/s");
  settle();
}

}  // namespace

void time_kernels(const std::string& json, const std::string& command, const std::string& commit) {
  cudaDeviceProp about{};
  must(cudaGetDeviceProperties(&about, 0), "the question for the device's properties");
  int driver = 0;
  must(cudaDriverGetVersion(&driver), "the question for the driver");
  Table products, words;
  const Card here = card();
  time_products(products, here);
  time_words(words, here.processors);
  if (json.empty()) return;
  std::FILE* const file = std::fopen(json.c_str(), "w");
  if (file == nullptr) {
    std::printf("gpu_check: cannot write %s: %s\n", json.c_str(), std::strerror(errno));
    std::exit(2);
  }
  std::fprintf(file,
               "{\n \"bench\": \"gpu\",\n \"command\": \"%s\",\n \"machine\": {\n  \"card\": \"%s\",\n"
               "  \"capability\": \"sm_%d%d\",\n  \"processors\": %d,\n  \"memory\": %zu,\n  \"cuda of the driver\": "
               "\"%d.%d\",\n  \"commit\": \"%s\"\n },\n \"tables\": [\n",
               command.c_str(), about.name, about.major, about.minor, about.multiProcessorCount, about.totalGlobalMem,
               driver / 1000, driver % 1000 / 10, commit.c_str());
  std::fprintf(file,
               "  {\"name\":\"products\",\"about\":\"out += a*b in Z_2^k, operands random.\",\"rows\":[\n%s\n  ]},\n",
               products.rows().c_str());
  std::fprintf(
      file,
      "  {\"name\":\"words\",\"about\":\"Kernels that touch each of 2^27 words once.\",\"rows\":[\n%s\n  ]}\n ]\n}\n",
      words.rows().c_str());
  std::fclose(file);
}

}  // namespace tacit::mpc::device
