#include "formats/abc/play.h"
#include "formats/abc/text.h"
#include "melody/limits.h"

namespace rondo::abc {
namespace {

constexpr std::size_t kMostParts = 10'000;

class PartsParser {
 public:
  PartsParser(std::string_view text, Oddities& odd) : in_(text), odd_(odd) {}

  std::string all() {
    std::string out = sequence(0);
    while (!in_.done()) {  // a closing bracket without its opening
      strange(in_.take());
      out += sequence(0);
    }
    return out.substr(0, kMostParts);
  }

 private:
  std::string sequence(int depth) {
    std::string out;
    while (!in_.done() && in_.peek() != ')') {
      const char c = in_.take();
      std::string item;
      if (c == '(' && depth < limits::kNesting) {
        item = sequence(depth + 1);
        in_.skip(')');
      } else if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
        item = c;
      } else {
        if (c != ' ' && c != '.' && c != ',' && c != '\t') strange(c);
        continue;
      }
      append(out, item, in_.number().value_or(1));
    }
    return out;
  }

  void append(std::string& out, const std::string& item, std::int64_t times) {
    if (item.empty()) return;
    for (; times > 0 && out.size() < kMostParts; --times) out += item;
  }

  void strange(char c) {
    if (!odd_.empty()) return;  // one warning per field is enough
    odd_.push_back({"abc-parts-unknown", std::string("'") + c + "' in the order of parts is ignored"});
  }

  Cursor in_;
  Oddities& odd_;
};

}  // namespace

std::string expand_parts(std::string_view text, Oddities& odd) { return PartsParser(text, odd).all(); }

}  // namespace rondo::abc
