// TLS 1.3 with keys pinned by fingerprint: no certificate authority, no names, no dates.
//
// Both ends always present their key. The handshake fails unless the other end holds the private key of one of the
// fingerprints that this end trusts; which of them it was is peer(): identity comes from the key.
#pragma once

#include <memory>
#include <vector>

#include "net/identity.h"
#include "net/wire.h"

struct ssl_ctx_st;
struct ssl_st;

namespace tacit::net {

// Our key and the keys that we accept, ready for any number of connections. Must outlive its wires.
class TlsContext {
 public:
  TlsContext(const Identity& identity, std::vector<Fingerprint> trusted);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsWire;
  std::vector<Fingerprint> trusted_;
  ssl_ctx_st* context_ = nullptr;
};

class TlsWire final : public Wire {
 public:
  // Connects to a peer that must hold the key `expected`.
  static std::unique_ptr<TlsWire> client(const TlsContext& context, Descriptor socket, const Fingerprint& expected);
  // Answers a peer that must hold one of the context's trusted keys.
  static std::unique_ptr<TlsWire> server(const TlsContext& context, Descriptor socket);
  ~TlsWire() override;

  // Moves the handshake on as far as the bytes at hand allow; call it again when the socket is readable (or writable,
  // if flush() says so). True when it is complete. It takes at most kMaxHandshakeBytes from the peer.
  // Throws NetError with the reason: not TLS, TLS too old, unknown key, connection closed.
  bool handshake();
  static constexpr std::int64_t kMaxHandshakeBytes = 64 * 1024;

  // Whose key the other end has proven to hold; after the handshake.
  const Fingerprint& peer() const;

  std::int64_t write(ConstBytes bytes) override;
  std::int64_t read(Bytes bytes) override;
  bool has_buffered_input() const override;
  Secret export_key(std::string_view label, std::int64_t size) const override;

  // Tells the peer that nothing more follows (close_notify), as far as the socket takes it.
  void say_end();

 private:
  struct Bridge;  // between OpenSSL's BIO and this wire
  TlsWire(const TlsContext& context, Descriptor socket, const Fingerprint* expected);

  ssl_st* ssl_ = nullptr;
  std::unique_ptr<Fingerprint> expected_;
  Fingerprint peer_;
  bool complete_ = false;
};

}  // namespace tacit::net
