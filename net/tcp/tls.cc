#include "net/tcp/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>

#include "net/error.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kRecordBytes = SSL3_RT_MAX_PLAIN_LENGTH;
constexpr std::int64_t kRecordRoom = kRecordBytes + 256;  // header, tag, and an occasional alert or key update

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

std::string openssl_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* text = ERR_reason_error_string(code);
  return text != nullptr ? text : "no reason given";
}

}  // namespace

// The callbacks from C. OpenSSL reads and writes through a BIO with a pointer to the TlsWire, and
// passes certificates to verify(). An exception must not leave these functions.
struct TlsCallbacks {
  static int read(BIO* bio, char* data, int size) {
    auto* wire = static_cast<TlsWire*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    if (!wire->complete_ && wire->bytes_received() >= TlsWire::kMaxHandshakeBytes) return -1;
    if (!wire->complete_) size = std::min(size, 4096);
    const std::int64_t n = wire->receive_now({reinterpret_cast<std::byte*>(data), static_cast<std::size_t>(size)});
    if (n > 0) return static_cast<int>(n);
    if (n == 0) BIO_set_retry_read(bio);
    if (n == Wire::kClosed) return 0;
    wire->socket_failed_ = n == TlsWire::kFailed;
    return -1;
  }

  static int write(BIO* bio, const char* data, int size) {
    auto* wire = static_cast<TlsWire*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    const auto taken = std::min(static_cast<std::int64_t>(size), wire->room());
    if (taken == 0) {
      BIO_set_retry_write(bio);
      return -1;
    }
    wire->append_to_outbox({reinterpret_cast<const std::byte*>(data), size_of(taken)});
    return static_cast<int>(taken);
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static int create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  }

  static BIO_METHOD* method() {
    static const std::unique_ptr<BIO_METHOD, void (*)(BIO_METHOD*)> made(make_method(), BIO_meth_free);
    return made.get();
  }

  static BIO_METHOD* make_method() {
    BIO_METHOD* m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tacit wire");
    TACIT_CHECK(m != nullptr);
    BIO_meth_set_read(m, read);
    BIO_meth_set_write(m, write);
    BIO_meth_set_ctrl(m, control);
    BIO_meth_set_create(m, create);
    return m;
  }

  // A certificate is accepted if its key is pinned. TLS itself proves that the peer holds the key.
  static int verify(X509_STORE_CTX* store, void*) {
    const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* wire = static_cast<TlsWire*>(SSL_get_app_data(ssl));
    try {
      const Fingerprint seen = Fingerprint::of(X509_STORE_CTX_get0_cert(store));
      wire->presented_ = seen;
      const auto& trusted = wire->context_->trusted_;
      wire->refused_ =
          wire->expected_ ? seen != *wire->expected_ : std::find(trusted.begin(), trusted.end(), seen) == trusted.end();
    } catch (...) {
      wire->refused_ = true;
    }
    if (wire->refused_) X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return wire->refused_ ? 0 : 1;
  }
};

TlsContext::TlsContext(const Identity& identity, std::vector<Fingerprint> trusted, std::int64_t rekey_bytes)
    : trusted_(std::move(trusted)), rekey_bytes_(rekey_bytes), context_(SSL_CTX_new(TLS_method())) {
  TACIT_CHECK(context_ != nullptr);
  TACIT_CHECK(SSL_CTX_set_min_proto_version(context_, TLS1_3_VERSION) == 1);
  TACIT_CHECK(SSL_CTX_set_max_proto_version(context_, TLS1_3_VERSION) == 1);
  TACIT_CHECK(SSL_CTX_set_ciphersuites(context_, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256") == 1);
  TACIT_CHECK(SSL_CTX_set1_groups_list(context_, "X25519") == 1);
  TACIT_CHECK(SSL_CTX_set1_sigalgs_list(context_, "ed25519") == 1);
  TACIT_CHECK(SSL_CTX_use_PrivateKey(context_, identity.key()) == 1);
  TACIT_CHECK(SSL_CTX_use_certificate(context_, identity.certificate()) == 1);
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_cert_verify_callback(context_, TlsCallbacks::verify, nullptr);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context_, 0);  // no resumption: every session makes fresh keys
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context_, 1);
  SSL_CTX_set_default_read_buffer_len(context_, 128 * 1024);  // several records in one system call
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsWire::TlsWire(const TlsContext& context, Descriptor socket, const Fingerprint* expected)
    : Wire(std::move(socket)), context_(&context), rekey_bytes_(context.rekey_bytes_), ssl_(SSL_new(context.context_)) {
  TACIT_CHECK(ssl_ != nullptr);
  if (expected != nullptr) expected_ = *expected;
  SSL_set_app_data(ssl_, this);
  BIO* bio = BIO_new(TlsCallbacks::method());
  TACIT_CHECK(bio != nullptr);
  BIO_set_data(bio, this);
  SSL_set_bio(ssl_, bio, bio);
}

std::unique_ptr<TlsWire> TlsWire::client(const TlsContext& context, Descriptor socket, const Fingerprint& expected) {
  std::unique_ptr<TlsWire> wire(new TlsWire(context, std::move(socket), &expected));
  SSL_set_connect_state(wire->ssl_);
  return wire;
}

std::unique_ptr<TlsWire> TlsWire::server(const TlsContext& context, Descriptor socket) {
  std::unique_ptr<TlsWire> wire(new TlsWire(context, std::move(socket), nullptr));
  SSL_set_accept_state(wire->ssl_);
  return wire;
}

TlsWire::~TlsWire() { SSL_free(ssl_); }

bool TlsWire::handshake() {
  if (!complete_) {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_);
    if (result == 1) {
      complete_ = true;
    } else if (const int why = SSL_get_error(ssl_, result); why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
      fail("the TLS handshake", result);
    }
  }
  return flush() && complete_;
}

const Fingerprint& TlsWire::peer() const {
  TACIT_CHECK(complete_ && presented_.has_value());
  return *presented_;
}

std::int64_t TlsWire::write(ConstBytes bytes) {
  TACIT_CHECK(complete_);
  std::int64_t taken = 0;
  while (taken < std::ssize(bytes) && room() >= kRecordRoom) {
    ERR_clear_error();
    std::size_t n = 0;
    const auto record = bytes.subspan(size_of(taken), size_of(std::min(std::ssize(bytes) - taken, kRecordBytes)));
    const int result = SSL_write_ex(ssl_, record.data(), record.size(), &n);
    if (result != 1) fail("encrypting", result);
    taken += static_cast<std::int64_t>(n);
    written_since_rekey_ += static_cast<std::int64_t>(n);
    if (written_since_rekey_ >= rekey_bytes_) {
      TACIT_CHECK(SSL_key_update(ssl_, SSL_KEY_UPDATE_NOT_REQUESTED) == 1);
      written_since_rekey_ = 0;
    }
  }
  return taken;
}

std::int64_t TlsWire::read(Bytes bytes) {
  TACIT_CHECK(complete_);
  std::int64_t filled = 0;
  while (filled < std::ssize(bytes)) {
    ERR_clear_error();
    std::size_t n = 0;
    const int result = SSL_read_ex(ssl_, bytes.data() + filled, size_of(std::ssize(bytes) - filled), &n);
    if (result == 1) {
      filled += static_cast<std::int64_t>(n);
      continue;
    }
    const int why = SSL_get_error(ssl_, result);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE || filled > 0) break;
    if (why == SSL_ERROR_ZERO_RETURN) return kClosed;
    if (why == SSL_ERROR_SSL && ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
      return kClosed;  // a cut stream counts as closed: the frames tell whether it was complete
    }
    fail("receiving", result);
  }
  return filled;
}

Secret TlsWire::export_key(std::string_view label, std::int64_t size) const {
  TACIT_CHECK(complete_);
  const std::string full = "EXPORTER-Tacit-" + std::string(label);
  Secret key(size);
  TACIT_CHECK(SSL_export_keying_material(ssl_, reinterpret_cast<unsigned char*>(key.bytes().data()), key.bytes().size(),
                                         full.data(), full.size(), nullptr, 0, 0) == 1);
  return key;
}

void TlsWire::say_end() {
  if (!complete_) return;
  ERR_clear_error();
  SSL_shutdown(ssl_);
  ERR_clear_error();
  flush();
  ::shutdown(socket(), SHUT_WR);
}

void TlsWire::fail(const char* doing, int result) {
  const int why = SSL_get_error(ssl_, result);
  const int reason = ERR_GET_REASON(ERR_peek_last_error());
  std::string said = openssl_reason();
  ERR_clear_error();
  if (!outbox_empty() && !socket_failed_) {  // send the alert with the reason to the peer
    try {
      flush();
    } catch (const NetError&) {  // the peer is already gone; the TLS error is the better reason
    }
  }
  if (socket_failed_) throw NetError("the connection broke during " + std::string(doing) + ": " + failure());
  if (refused_) {
    throw TrustError("its key " + presented_->text() +
                     (expected_ ? " is not the expected " + expected_->text() : std::string(" is not in the roster")));
  }
  if (!complete_ && bytes_received() >= kMaxHandshakeBytes)
    throw NetError("its TLS handshake is longer than it can be");
  if (why == SSL_ERROR_ZERO_RETURN || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING || why == SSL_ERROR_SYSCALL) {
    throw NetError("it closed the connection during " + std::string(doing));
  }
  switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_BAD_RECORD_TYPE:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
      throw TrustError("it does not speak TLS (" + said + ")");
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      throw TrustError("it does not speak TLS 1.3 (" + said + ")");
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      throw TrustError("it presented no key");
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
      throw TrustError("it refused our key: is our fingerprint in its roster? (" + said + ")");
    default:
      throw NetError(std::string(doing) + " failed: " + said);
  }
}

}  // namespace tacit::net
