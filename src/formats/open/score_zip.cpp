#include "formats/open/score_zip.h"

#include <map>
#include <pugixml.hpp>

#include "base/streams.h"
#include "melody/limits.h"

namespace rondo::open {
namespace {

constexpr std::string_view kContainer = "META-INF/container.xml";
constexpr std::string_view kStyle = "score_style.mss";
constexpr std::string_view kType = "application/vnd.recordare.musicxml";

bool ends_with_any_case(std::string_view text, std::string_view small) {
  if (text.size() < small.size()) return false;
  const std::string_view end = text.substr(text.size() - small.size());
  for (std::size_t i = 0; i < small.size(); ++i) {
    const char c = end[i] >= 'A' && end[i] <= 'Z' ? static_cast<char>(end[i] | 0x20) : end[i];
    if (c != small[i]) return false;
  }
  return true;
}

bool is_score(std::string_view name) {
  return ends_with_any_case(name, ".xml") || ends_with_any_case(name, ".musicxml") || ends_with_any_case(name, ".mscx");
}

/// The first root file that is a score; others may be of other types (a PDF).
std::string root_file(const std::string& container) {
  pugi::xml_document document;
  if (!document.load_buffer(container.data(), container.size())) return {};
  for (const pugi::xpath_node& found : document.select_nodes("//*[local-name()='rootfile']")) {
    const std::string_view type = found.node().attribute("media-type").value();
    std::string path = clean_path(found.node().attribute("full-path").value());
    if ((type.empty() || type.starts_with(kType)) && is_score(path)) return path;
  }
  return {};
}

}  // namespace

bool is_score_zip(std::string_view name, std::string_view head) {
  if (ends_with_any_case(name, ".mxl") || ends_with_any_case(name, ".mscz")) return true;
  // A zip begins with a local header: name at 30, its length at 26, extra fields' length at 28.
  constexpr std::size_t kHeader = 30;
  if (head.size() < kHeader) return false;
  const auto number = [head](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(head[at])) |
           static_cast<std::size_t>(static_cast<unsigned char>(head[at + 1])) << 8U;
  };
  const std::string_view first = head.substr(kHeader, number(26));
  if (first == kContainer || first == kStyle) return true;
  const std::size_t content = kHeader + number(26) + number(28);
  return first == "mimetype" && content < head.size() && head.substr(content).starts_with(kType);
}

Result<std::string> read_score_zip(Archive& archive) {
  std::map<std::string, std::string> scores;
  std::string container;
  std::string first;
  std::size_t left = limits::kFileBytes;
  for (;;) {
    auto more = archive.next();
    if (!more) return fail(std::move(more.error()));
    if (!*more) break;
    const std::string name = archive.name();
    if (!is_score(name)) continue;
    auto source = archive.source();
    auto text = read_all(*source, left);
    if (!text) return fail(std::move(text.error()));
    left -= text->size();
    if (name == kContainer) {
      container = std::move(*text);
    } else if (!name.starts_with("META-INF/")) {
      const bool in_folder = name.find('/') != std::string::npos;
      if (first.empty() || (!in_folder && first.find('/') != std::string::npos)) first = name;
      scores[name] = std::move(*text);
    }
  }
  auto found = scores.find(root_file(container));
  if (found == scores.end()) found = scores.find(first);
  if (found == scores.end()) return fail("mxl-no-score", "there is no score in this compressed score file");
  return std::move(found->second);
}

}  // namespace rondo::open
