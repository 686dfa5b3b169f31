#include "concordances/newness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "store/sqlite.h"

namespace rondo::concordances {
namespace {

bool looks_like_date(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-' && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("-:.TZ ").find(c) != std::string_view::npos;
         });
}

}  // namespace

Result<std::function<bool(const StoredVoice&)>> newness(Collection& collection,
                                                        const std::optional<std::string>& since) {
  if (!since) return [](const StoredVoice&) { return false; };
  const std::string_view text = *since;
  std::int64_t key = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
  if (error == std::errc() && end == text.data() + text.size()) {
    return [key](const StoredVoice& voice) { return static_cast<std::int64_t>(voice.key) > key; };
  }
  if (!looks_like_date(text)) {
    return fail("since-malformed", fmt::format("'{}' is neither a date nor a number", text), {},
                "a date looks like 2026-11-01; a number is the key of the last voice that is not new");
  }
  std::vector<PieceKey> pieces;
  auto rows = database_of(collection).prepare("SELECT key FROM pieces WHERE imported >= ? ORDER BY key");
  if (!rows) return fail(rows.error());
  // As the collection writes times: 2026-11-01T09:30.
  std::string from(text);
  std::replace(from.begin(), from.end(), ' ', 'T');
  rows->bind(1, from);
  for (;;) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) break;
    pieces.push_back(PieceKey{rows->integer(0)});
  }
  return [known = std::move(pieces)](const StoredVoice& voice) {
    return std::binary_search(known.begin(), known.end(), voice.piece);
  };
}

}  // namespace rondo::concordances
