#include "server/message.h"

#include <algorithm>
#include <charconv>

namespace rondo::server {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Calls `visit` with each trimmed part of a comma-separated list; empty ones are skipped.
template <typename Visit>
void each_part(std::string_view list, char separator, const Visit& visit) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    const std::string_view part = trimmed(list.substr(0, end));
    if (!part.empty()) visit(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// "text/html;level=1;q=0.5": the media type and its weight.
struct Weighted {
  std::string_view word;
  double weight = 1;
};

Weighted weighted(std::string_view part) {
  Weighted out;
  bool first = true;
  each_part(part, ';', [&](std::string_view piece) {
    if (std::exchange(first, false)) {
      out.word = piece;
    } else if (piece.size() > 2 && lower(piece[0]) == 'q' && piece[1] == '=') {
      double weight = 0;
      const auto read = std::from_chars(piece.data() + 2, piece.data() + piece.size(), weight);
      out.weight = read.ec == std::errc{} ? std::clamp(weight, 0.0, 1.0) : 0;
    }
  });
  return out;
}

/// How specifically a media range matches a type: 0 not at all, 1 "*/*", 2 "text/*", 3 the type itself.
int closeness(std::string_view range, std::string_view type) {
  if (same_word(range, type)) return 3;
  if (range == "*/*") return 1;
  const std::size_t slash = type.find('/');
  return range.ends_with("/*") && same_word(range.substr(0, range.size() - 1), type.substr(0, slash + 1)) ? 2 : 0;
}

double liking(std::string_view accept, std::string_view type) {
  double weight = 0;
  int best = 0;
  each_part(accept, ',', [&](std::string_view part) {
    const Weighted range = weighted(part);
    const int close = closeness(range.word, type);
    if (close > best) {
      best = close;
      weight = range.weight;
    }
  });
  return weight;
}

std::string_view without_weakness(std::string_view tag) { return tag.starts_with("W/") ? tag.substr(2) : tag; }

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (same_word(key, name)) return value;
  }
  return {};
}

Response& Response::set(std::string name, std::string value) {
  for (auto& [key, old] : headers) {
    if (same_word(key, name)) {
      old = std::move(value);
      return *this;
    }
  }
  headers.emplace_back(std::move(name), std::move(value));
  return *this;
}

Response text_response(unsigned status, std::string_view type, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  response.set("Content-Type", std::string(type));
  return response;
}

std::string_view reason(unsigned status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "Unknown";
  }
}

std::string_view negotiate(std::string_view accept, const std::vector<std::string_view>& offered) {
  if (trimmed(accept).empty()) return offered.empty() ? std::string_view() : offered.front();
  std::string_view best;
  double most = 0;
  for (const std::string_view type : offered) {
    const double weight = liking(accept, type);
    if (weight > most) {
      most = weight;
      best = type;
    }
  }
  return best;
}

bool accepts_gzip(std::string_view accept_encoding) {
  double gzip = -1;
  double any = 0;
  each_part(accept_encoding, ',', [&](std::string_view part) {
    const Weighted coding = weighted(part);
    if (same_word(coding.word, "gzip")) gzip = coding.weight;
    if (coding.word == "*") any = coding.weight;
  });
  return (gzip < 0 ? any : gzip) > 0;
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
  bool found = false;
  each_part(if_none_match, ',', [&](std::string_view part) {
    found = found || part == "*" || without_weakness(part) == without_weakness(tag);
  });
  return found;
}

}  // namespace rondo::server
