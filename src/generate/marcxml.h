#pragma once

#include <string>
#include <string_view>

#include "rondo/melody/piece.h"

/// Generated pieces as a MARCXML file, so that an import of any size can be tried. Write the header, the records one
/// after the other, the footer.
namespace rondo {

[[nodiscard]] std::string_view marcxml_header();
[[nodiscard]] std::string_view marcxml_footer();

/// Adds the record of a piece made by Generator (one whose `source_text` is PAE in lines "@clef:", "@data:", ...):
/// 001, 031, 100, 240, 260, 500 (family and variant), 852. A piece without such text gets no 031.
void append_marcxml_record(std::string& out, const Piece& piece);
[[nodiscard]] std::string marcxml_record(const Piece& piece);

}  // namespace rondo
