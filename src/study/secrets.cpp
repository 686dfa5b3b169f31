#include "study/secrets.h"

#include <sodium.h>

#include <array>
#include <exception>

#include "study/study.h"

namespace rondo::study {
namespace {

constexpr std::string_view kLetters = "23456789abcdefghijkmnpqrstuvwxyz";
static_assert(kLetters.size() == 32);

/// Without a source of random numbers, libsodium cannot be initialised.
void start() {
  static const bool started = sodium_init() >= 0;
  if (!started) std::terminate();
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string random_bytes(std::size_t count) {
  start();
  std::string out(count, '\0');
  randombytes_buf(out.data(), out.size());
  return out;
}

std::string random_letters(std::size_t bits) {
  std::string out = random_bytes((bits + 4) / 5);
  for (char& c : out) c = kLetters[static_cast<unsigned char>(c) % kLetters.size()];
  return out;
}

std::uint64_t random_seed() {
  start();
  std::uint64_t seed = 0;
  randombytes_buf(&seed, sizeof seed);
  return seed & kMostSeed;
}

std::string new_code() {
  const std::string letters = random_letters(80);
  std::string code;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (i > 0 && i % 4 == 0) code += '-';
    code += letters[i];
  }
  return code;
}

std::string plain_code(std::string_view typed) {
  std::string out;
  for (const char c : typed) {
    if (c == '-' || c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string fingerprint(std::string_view secret, std::string_view key) {
  start();
  std::string out(crypto_generichash_BYTES, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(out.data()), out.size(), bytes_of(secret), secret.size(),
                     key.empty() ? nullptr : bytes_of(key), key.size());
  return out;
}

Result<std::string> hash_password(std::string_view password) {
  start();
  std::array<char, crypto_pwhash_STRBYTES> out{};
  if (crypto_pwhash_str(out.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0) {
    return fail("out-of-memory", "there is not enough memory to keep the token safe (64 MiB are needed)");
  }
  return std::string(out.data());
}

bool is_password(std::string_view hash, std::string_view password) {
  start();
  const std::string ended(hash);
  if (ended.size() >= crypto_pwhash_STRBYTES) return false;
  return crypto_pwhash_str_verify(ended.c_str(), password.data(), password.size()) == 0;
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace rondo::study
