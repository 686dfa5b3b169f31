#include "server/search_request.h"

namespace rondo::server {
namespace {

/// NAME:VALUE as addresses have it, NAME=VALUE as the systems know it.
std::vector<std::string> settings_of(std::vector<std::string> settings) {
  for (std::string& setting : settings) {
    if (const std::size_t colon = setting.find(':'); colon != std::string::npos) setting[colon] = '=';
  }
  return settings;
}

/// Assigns the value of a Result, or keeps its error: arguments are read one after the other.
class Reading {
 public:
  template <typename T>
  void operator()(T& to, Result<T> from) {
    if (from) {
      to = std::move(*from);
    } else if (!error_) {
      error_ = std::move(from.error());
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

void append(std::vector<std::string_view>& to, const std::vector<std::string_view>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string_view> asked_arguments() {
  return {"q", "id", "voice", "system", "set", "anchored", "ignore_repeated", "fold_octaves", "graces"};
}

std::vector<std::string_view> search_arguments() {
  std::vector<std::string_view> names = asked_arguments();
  append(names, {"k", "offset", "text", "where", "fold_duplicates", "quick", "expand", "format"});
  append(names, {kFacets.begin(), kFacets.end()});
  return names;
}

Result<AskedMelody> AskedMelody::from(const Arguments& arguments) {
  AskedMelody asked;
  SearchRequest& request = asked.request;
  const std::string q(arguments.text("q"));
  const std::string id(arguments.text("id"));
  request.system = arguments.text("system", std::string(kDefaultSystem));
  request.settings = settings_of(arguments.all("set"));
  if (trimmed(q).empty() && id.empty()) {
    return fail("query-missing", "nothing was asked for", {}, "give 'q' (notes) or 'id' (a melody of the collection)");
  }
  if (!trimmed(q).empty() && !id.empty()) return fail("argument-both", "'q' and 'id' cannot be asked for at once");
  Reading read;
  std::size_t voice = 0;
  read(voice, arguments.number("voice", 0, 0, 511));
  read(request.anchored, arguments.flag("anchored", false));
  read(request.heard.ignore_repeated, arguments.flag("ignore_repeated", false));
  read(request.heard.fold_octaves, arguments.flag("fold_octaves", false));
  read(request.heard.graces, arguments.flag("graces", false));
  if (read.error()) return fail(*read.error());
  if (id.empty()) {
    auto typed = read_typed(q);
    if (!typed) return fail(std::move(typed.error()));
    asked.typed = std::move(*typed);
    request.query = asked.typed.piece.voices.front();
  } else {
    request.like = id;
    request.like_voice = static_cast<std::uint32_t>(voice);
  }
  return asked;
}

Result<AskedSearch> AskedSearch::from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k) {
  AskedSearch asked;
  Reading read;
  read(asked.melody, AskedMelody::from(arguments));
  SearchRequest& request = asked.request();
  read(request.k, arguments.number("k", standard_k, 1, most_k));
  read(request.offset, arguments.number("offset", 0, 0, kMostOffset));
  read(request.fold_duplicates, arguments.flag("fold_duplicates", false));
  read(request.quick, arguments.flag("quick", false));
  read(request.expand, arguments.flag("expand", false));
  if (read.error()) return fail(*read.error());
  request.text = trimmed(arguments.text("text"));
  request.where = trimmed(arguments.text("where"));
  request.threads = 0;  // as many as are worth it
  for (std::size_t f = 0; f < kFacets.size(); ++f) asked.choices[f] = arguments.all(kFacets[f]);
  return asked;
}

}  // namespace rondo::server
