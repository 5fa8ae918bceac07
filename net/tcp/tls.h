// TLS 1.3 with keys pinned by fingerprint, without certificate authorities, names or dates.
//
// Both ends always present their key. The handshake fails unless the other end holds the private
// key of a trusted fingerprint. peer() returns this fingerprint, which identifies the rank.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "net/error.h"
#include "net/tcp/identity.h"
#include "net/tcp/wire.h"

struct ssl_ctx_st;
struct ssl_st;

namespace tacit::net {

// The other end has a different key, no key, or no TLS 1.3, or it refused this rank's key. A retry
// would end the same way.
class TrustError : public NetError {
 public:
  using NetError::NetError;
};

// This rank's key and the trusted fingerprints, for any number of connections. Must outlive their
// handshakes.
class TlsContext {
 public:
  // A connection changes its sending key after `rekey_bytes`, far below AES-GCM's limit of 380 GB.
  static constexpr std::int64_t kRekeyBytes = std::int64_t{64} << 30;

  TlsContext(const Identity& identity, std::vector<Fingerprint> trusted, std::int64_t rekey_bytes = kRekeyBytes);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsWire;
  friend struct TlsCallbacks;
  std::vector<Fingerprint> trusted_;
  std::int64_t rekey_bytes_;
  ssl_ctx_st* context_ = nullptr;
};

class TlsWire final : public Wire {
 public:
  // Connects to a peer that must hold the key `expected`.
  static std::unique_ptr<TlsWire> client(const TlsContext& context, Descriptor socket, const Fingerprint& expected);
  // Answers a peer that must hold one of the context's trusted keys.
  static std::unique_ptr<TlsWire> server(const TlsContext& context, Descriptor socket);
  ~TlsWire() override;

  // Continues the handshake as far as the available bytes allow, and flushes. Call it again when
  // the socket is readable, or writable while the outbox is not empty. Returns true when the
  // handshake is complete. Reads at most kMaxHandshakeBytes from the peer. Throws NetError with
  // the reason if the connection closes. Throws TrustError if the peer has no TLS, an old TLS
  // version or an unknown key. In TLS 1.3 a client learns only from its first read that the server
  // refused its key.
  bool handshake();
  static constexpr std::int64_t kMaxHandshakeBytes = 64 * 1024;

  // The key that the other end has proven to hold. Valid after the handshake.
  const Fingerprint& peer() const;

  std::int64_t write(ConstBytes bytes) override;
  std::int64_t read(Bytes bytes) override;
  Secret export_key(std::string_view label, std::int64_t size) const override;
  void say_end() override;

 private:
  friend struct TlsCallbacks;  // OpenSSL's callbacks
  TlsWire(const TlsContext& context, Descriptor socket, const Fingerprint* expected);
  [[noreturn]] void fail(const char* doing, int result);

  const TlsContext* context_;  // used during the handshake only
  std::int64_t rekey_bytes_;
  std::int64_t written_since_rekey_ = 0;
  ssl_st* ssl_ = nullptr;
  std::optional<Fingerprint> expected_;
  std::optional<Fingerprint> presented_;  // not proven before the handshake is complete
  bool refused_ = false;                  // `presented_` is known and not trusted
  bool socket_failed_ = false;
  bool complete_ = false;
};

}  // namespace tacit::net
