// A small HTTP server on 127.0.0.1 that answers as a worker's REST does, scripted by path. One request a
// connection.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace eos::fakes {

// Thread-safe.
class FakeConnectRest {
 public:
  struct Answer {
    int status = 200;
    std::string body;
  };

  FakeConnectRest() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    listen(socket_, 16);
    socklen_t size = sizeof(address);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeConnectRest() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  FakeConnectRest(const FakeConnectRest&) = delete;
  FakeConnectRest& operator=(const FakeConnectRest&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // "GET /health"; whatever is not set is 404.
  void Set(const std::string& request, int status, const std::string& body) {
    const std::lock_guard lock(mutex_);
    answers_[request] = {status, body};
  }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::string last_body() const {
    const std::lock_guard lock(mutex_);
    return last_body_;
  }

 private:
  void Serve() {
    for (int client = accept(socket_, nullptr, nullptr); client >= 0;
         client = accept(socket_, nullptr, nullptr)) {
      Talk(client);
      close(client);
    }
  }
  void Talk(int client) {
    std::string text;
    size_t need = std::string::npos;
    char chunk[4096];
    while (need == std::string::npos || text.size() < need) {
      const ssize_t count = read(client, chunk, sizeof(chunk));
      if (count <= 0) return;
      text.append(chunk, static_cast<size_t>(count));
      if (text.front() == '\x16') return;  // a TLS hello: no such thing here
      const size_t head = text.find("\r\n\r\n");
      if (need != std::string::npos || head == std::string::npos) continue;
      const size_t length = text.find("Content-Length: ");
      need = head + 4 + (length < head ? std::stoul(text.substr(length + 16)) : 0);
    }
    const std::string line = text.substr(0, text.find(" HTTP/"));
    Answer answer{404, "{}"};
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(line);
      last_body_ = text.substr(text.find("\r\n\r\n") + 4);
      const auto found = answers_.find(line);
      if (found != answers_.end()) answer = found->second;
    }
    const std::string reply = "HTTP/1.1 " + std::to_string(answer.status) +
                              " X\r\nContent-Length: " + std::to_string(answer.body.size()) +
                              "\r\nConnection: close\r\n\r\n" + answer.body;
    const ssize_t written = write(client, reply.data(), reply.size());
    static_cast<void>(written);
  }

  int socket_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::vector<std::string> requests_;
  std::string last_body_;
  std::thread thread_;
};

}  // namespace eos::fakes
