// CudaDevice is a Device on a GPU: one stream, and two pinned buffers through which words cross, so that the copy of a piece
// into a buffer overlaps with the transfer of the piece before it.
#include <cstring>
#include <string>

#include "mpc/device/cards.h"
#include "mpc/device/kernel_language.h"
#include "mpc/device/ring_product.h"
#include "net/error.h"

namespace tacit::mpc::device {

namespace {

constexpr std::int64_t kPiece = std::int64_t{1} << 20;  // words in a pinned buffer: 8 MiB
constexpr int kOldest = 8;                              // the least major number of the compute capability: sm_80
// Estimates for a PCIe link of 25 GB/s (3.1 G words/s), 15 us for a launch and its wait, and a core of 37 G multiply-adds/s.
constexpr Device::Price kPrice{.call = 600'000, .word = 12};

struct EndStream {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};
struct EndEvent {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
struct WipeAndUnpin {
  void operator()(Word* words) const {
    volatile Word* const wiped = words;
    for (std::int64_t i = 0; i < kPiece; ++i) wiped[i] = 0;
    cudaFreeHost(words);
  }
};

struct PinnedBuffer {
  std::unique_ptr<Word, WipeAndUnpin> words;
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EndEvent> crossed;  // the last transfer from or to it is done
};

// The words of CUDA for a status that is an error.
std::string words_of(cudaError_t status) { return cudaGetErrorString(status); }

std::string no_card(int number) { return "there is no device cuda:" + std::to_string(number) + ": "; }

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(int number) : number_(number) {
    cudaDeviceProp card{};
    must(cudaGetDeviceProperties(&card, number), "the question for its properties");
    about_ = std::string(card.name) + ", " + gigabytes(static_cast<std::int64_t>(card.totalGlobalMem));
    if (card.major < kOldest) {
      throw ConfigError("cuda:" + std::to_string(number) + " (" + about_ + ") has the compute capability " +
                        std::to_string(card.major) + "." + std::to_string(card.minor) +
                        ", and the kernels need 8.0 or later");
    }
    processors_ = card.multiProcessorCount;
    hopper_ = card.major == 9 && card.minor == 0;
    use();
    cudaStream_t stream = nullptr;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "the creation of a stream");
    stream_.reset(stream);
    for (PinnedBuffer& buffer : buffers_) {
      void* words = nullptr;
      must(cudaMallocHost(&words, kPiece * sizeof(Word)), "the allocation of a pinned buffer");
      buffer.words.reset(static_cast<Word*>(words));
      cudaEvent_t event = nullptr;
      must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "the creation of an event");
      buffer.crossed.reset(event);
    }
  }
  ~CudaDevice() override {
    cudaSetDevice(number_);
    cudaStreamSynchronize(stream_.get());  // before the buffers and the stream end
  }

  std::string about() const override { return about_; }
  Price price() const override { return kPrice; }

  Memory memory() override {
    use();
    std::size_t free = 0, total = 0;
    must(cudaMemGetInfo(&free, &total), "the question for its memory");
    return {static_cast<std::int64_t>(total), static_cast<std::int64_t>(free)};
  }

  std::uint64_t* allocate(std::int64_t words) override {
    use();
    const std::size_t bytes = static_cast<std::size_t>(words > 0 ? words : 1) * sizeof(Word);
    void* made = nullptr;
    const cudaError_t status = cudaMalloc(&made, bytes);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // CUDA repeats an error until it is taken
      throw ConfigError(full_memory(about_, static_cast<std::int64_t>(bytes), memory().free));
    }
    must(status, "an allocation");
    return static_cast<std::uint64_t*>(made);
  }

  void release(std::uint64_t* words) noexcept override {
    cudaSetDevice(number_);
    cudaStreamSynchronize(stream_.get());
    cudaFree(words);
  }

  void clear(std::uint64_t* words, std::int64_t count) noexcept override {
    cudaSetDevice(number_);
    cudaMemsetAsync(words, 0, static_cast<std::size_t>(count) * sizeof(Word), stream_.get());
  }

  void put(std::span<const std::uint64_t> from, std::uint64_t* to) override {
    use();
    const auto size = static_cast<std::int64_t>(from.size());
    for (std::int64_t at = 0; at < size; at += kPiece) {
      const std::size_t bytes = bytes_of_piece(size, at);
      PinnedBuffer& buffer = buffers_[turn_];
      turn_ ^= 1;
      must(cudaEventSynchronize(buffer.crossed.get()), "a transfer to it");
      std::memcpy(buffer.words.get(), from.data() + at, bytes);
      must(cudaMemcpyAsync(to + at, buffer.words.get(), bytes, cudaMemcpyHostToDevice, stream_.get()),
           "a transfer to it");
      must(cudaEventRecord(buffer.crossed.get(), stream_.get()), "a transfer to it");
    }
  }

  void get(const std::uint64_t* from, std::span<std::uint64_t> to) override {
    use();
    const auto size = static_cast<std::int64_t>(to.size());
    const std::int64_t pieces = ceil_div(size, kPiece);
    // Piece i crosses while piece i - 1 is copied out of the other buffer.
    for (std::int64_t i = 0; i <= pieces; ++i) {
      if (i < pieces) {
        PinnedBuffer& buffer = buffers_[i % 2];
        must(cudaMemcpyAsync(buffer.words.get(), from + i * kPiece, bytes_of_piece(size, i * kPiece),
                             cudaMemcpyDeviceToHost, stream_.get()),
             "a transfer from it");
        must(cudaEventRecord(buffer.crossed.get(), stream_.get()), "a transfer from it");
      }
      if (i > 0) {
        PinnedBuffer& buffer = buffers_[(i - 1) % 2];
        must(cudaEventSynchronize(buffer.crossed.get()), "the work before a transfer from it");
        std::memcpy(to.data() + (i - 1) * kPiece, buffer.words.get(), bytes_of_piece(size, (i - 1) * kPiece));
      }
    }
  }

  void matmul(DeviceView a, DeviceView b, Into into, std::uint64_t* out, int bits) override {
    use();
    const auto product = hopper_ ? product_by_warpgroups : product_by_warps;
    must(static_cast<cudaError_t>(product(a, b, into, out, bits, processors_, stream_.get())),
         "the start of a product");
  }

 private:
  static std::size_t bytes_of_piece(std::int64_t size, std::int64_t at) {
    return static_cast<std::size_t>(size - at < kPiece ? size - at : kPiece) * sizeof(Word);
  }

  // CUDA keeps the chosen card for each thread.
  void use() const { must(cudaSetDevice(number_), "its choice"); }

  void must(cudaError_t status, const char* what) const {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw ConfigError("cuda:" + std::to_string(number_) + (about_.empty() ? "" : " (" + about_ + ")") + " failed at " +
                      what + ": " + words_of(status) + "; go on with --device none");
  }

  const int number_;
  std::string about_;
  int processors_ = 0;
  bool hopper_ = false;
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, EndStream> stream_;
  PinnedBuffer buffers_[2];
  int turn_ = 0;  // the buffer of the next piece to the device
};

}  // namespace

Cards find_cards() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {count, ""};
  cudaGetLastError();
  if (status == cudaErrorInsufficientDriver) {
    return {0, "this machine has no NVIDIA driver, or one that is older than the CUDA of this build"};
  }
  if (status == cudaSuccess || status == cudaErrorNoDevice) return {0, "the NVIDIA driver finds no GPU"};
  return {0, "the NVIDIA driver says: " + words_of(status)};
}

std::unique_ptr<Device> open_card(int number) {
  const Cards cards = find_cards();
  if (cards.count == 0) throw ConfigError(no_card(number) + cards.why_none);
  if (number < 0 || number >= cards.count) {
    throw ConfigError(no_card(number) + "this machine has cuda:0" +
                      (cards.count > 1 ? " to cuda:" + std::to_string(cards.count - 1) : " alone"));
  }
  return std::make_unique<CudaDevice>(number);
}

}  // namespace tacit::mpc::device
