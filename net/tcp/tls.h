// TLS 1.3 with keys pinned by fingerprint: no certificate authority, no names, no dates.
//
// Both ends always present their key. The handshake fails unless the other end holds the private key of one of the
// fingerprints that this end trusts; which of them it was is peer(): identity comes from the key.
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

// The other end is not whom we want to talk to, or we are not whom it wants: another key, no key, no TLS 1.3. Trying
// again ends the same way.
class TrustError : public NetError {
 public:
  using NetError::NetError;
};

// Our key and the keys that we accept, ready for any number of connections. Must outlive their handshakes.
class TlsContext {
 public:
  // A connection changes its sending key after `rekey_bytes`, far below the 380 GB that AES-GCM bears.
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

  // Moves the handshake on as far as the bytes at hand allow, and flushes; call it again when the socket is readable
  // (or writable, while the outbox is not empty). True when it is complete. It takes at most kMaxHandshakeBytes from
  // the peer. Throws NetError with the reason: connection closed; TrustError: not TLS, TLS too old, unknown key.
  // A client learns only from its first read that the server refused its key: that is how TLS 1.3 is.
  bool handshake();
  static constexpr std::int64_t kMaxHandshakeBytes = 64 * 1024;

  // Whose key the other end has proven to hold; after the handshake.
  const Fingerprint& peer() const;

  std::int64_t write(ConstBytes bytes) override;
  std::int64_t read(Bytes bytes) override;
  Secret export_key(std::string_view label, std::int64_t size) const override;
  void say_end() override;

 private:
  friend struct TlsCallbacks;  // what OpenSSL calls
  TlsWire(const TlsContext& context, Descriptor socket, const Fingerprint* expected);
  [[noreturn]] void fail(const char* doing, int result);

  const TlsContext* context_;  // used during the handshake only
  std::int64_t rekey_bytes_;
  std::int64_t written_since_rekey_ = 0;
  ssl_st* ssl_ = nullptr;
  std::optional<Fingerprint> expected_;
  std::optional<Fingerprint> presented_;  // not proven before the handshake is complete
  bool refused_ = false;                  // we know `presented_` and do not accept it
  bool socket_failed_ = false;
  bool complete_ = false;
};

}  // namespace tacit::net
