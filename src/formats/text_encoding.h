#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/base/bytes.h"

/// Converts the text of files to UTF-8, the only encoding used internally.
namespace rondo {

/// `latin1` includes Windows-1252: the bytes 0x80 to 0x9F, control characters in Latin-1, are in practice always
/// letters and quotation marks of Windows-1252.
enum class TextEncoding : std::uint8_t { utf8, latin1, utf16le, utf16be };

struct XmlEncoding {
  std::optional<TextEncoding> encoding;  ///< nullopt: not supported
  std::string name;                      ///< as declared; empty where nothing is
  std::size_t mark = 0;                  ///< bytes of the byte-order mark
};
/// After the byte-order mark, else the XML declaration, else UTF-8 (XML 1.0, appendix F).
[[nodiscard]] XmlEncoding xml_encoding(std::string_view head);

/// The bytes as UTF-8, without byte-order mark.
void append_as_utf8(std::string& out, std::string_view bytes, TextEncoding encoding);

/// An XML document as UTF-8, whatever its encoding. UTF-8 passes through unchecked. An unsupported encoding is the
/// error `xml-encoding-unknown`.
class XmlUtf8Source final : public ByteSource {
 public:
  explicit XmlUtf8Source(ByteSource& inner) : inner_(inner) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> into) override;

 private:
  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<bool> convert_more();

  ByteSource& inner_;
  std::string raw_;    ///< read but not converted: an incomplete UTF-16 character at most
  std::string ready_;  ///< converted but not served
  std::size_t served_ = 0;
  TextEncoding encoding_ = TextEncoding::utf8;
  bool started_ = false;
};

}  // namespace rondo
