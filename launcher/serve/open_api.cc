#include "launcher/serve/open_api.h"

namespace tacit::launcher {

namespace {

constexpr const char* kDescription = R"json({
  "openapi": "3.0.3",
  "info": {
    "title": "tacit serve",
    "description": "Predictions of a model that the parties hold on shares. All parties see who asks, and for which nodes.",
    "version": "1"
  },
  "paths": {
    "/v1/predictions": {
      "post": {
        "summary": "Predict some nodes",
        "requestBody": {
          "required": true,
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Request"}}}
        },
        "responses": {
          "200": {
            "description": "The predictions, in the order of the request",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}
          },
          "400": {"$ref": "#/components/responses/Error"},
          "413": {"$ref": "#/components/responses/Error"},
          "429": {"$ref": "#/components/responses/Error"},
          "503": {"$ref": "#/components/responses/Error"}
        }
      }
    },
    "/v1/status": {
      "get": {
        "summary": "The service at this rank",
        "responses": {
          "200": {
            "description": "The job, the number of nodes, and the number of requests so far",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
          }
        }
      }
    },
    "/v1/openapi.json": {
      "get": {
        "summary": "This description",
        "responses": {"200": {"description": "OpenAPI 3.0", "content": {"application/json": {"schema": {"type": "object"}}}}}
      }
    }
  },
  "components": {
    "schemas": {
      "Request": {
        "type": "object",
        "required": ["nodes"],
        "additionalProperties": false,
        "properties": {
          "nodes": {
            "description": "Nodes by number, or by id if this rank's data have ids. Each node once.",
            "type": "array",
            "minItems": 1,
            "items": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}
          }
        }
      },
      "Answer": {
        "type": "object",
        "required": ["predictions"],
        "properties": {"predictions": {"type": "array", "items": {"$ref": "#/components/schemas/Prediction"}}}
      },
      "Prediction": {
        "type": "object",
        "required": ["node"],
        "properties": {
          "node": {"type": "integer"},
          "id": {"type": "string", "description": "If this rank's data have it"},
          "from": {"type": "integer", "description": "Of a pair: the one end"},
          "to": {"type": "integer", "description": "The other end"},
          "class": {"type": "integer", "description": "The likeliest class"},
          "class_name": {"type": "string", "description": "The class's name, if the job names its classes"},
          "class_names": {"type": "array", "items": {"type": "string"}, "description": "The classes' names"},
          "classes": {"type": "array", "items": {"type": "integer"}, "description": "The likeliest classes (reveal.top)"
}
, "value" : {"type" : "number", "description" : "The target, in its own unit"},
            "values" : {"type" : "array", "items" : {"type" : "number"}, "description" : "Several targets"},
                       "probabilities" : {
  "type" : "array", "items" : {"type" : "number"}, "description" : "Of each class"
}
}
}
, "Status" : {
  "type" : "object",
  "properties" : {
    "job" : {"type" : "string"},
    "rank" : {"type" : "integer"},
    "parties" : {"type" : "integer"},
    "nodes" : {"type" : "integer"},
    "class_names" : {"type" : "array", "items" : {"type" : "string"}, "description" : "Of classes 0, 1, ..."},
    "epochs" : {"type" : "integer", "description" : "Of the model's training"},
    "seconds" : {"type" : "number", "description" : "Since the service began"},
    "answered" : {"type" : "integer"},
    "refused" : {"type" : "integer"}
  }
},
             "Error" : {
  "type" : "object", "required" : ["error"], "properties" : {
    "error" : { "type" : "string" }
  }
}
}
, "responses" : {
  "Error" : {
    "description"
        : "A sentence with the problem and the remedy. 429: a party refuses (its limits); 503: the service has ended",
          "content" : {
      "application/json" : {
        "schema" : { "$ref" : "#/components/schemas/Error" }
      }
    }
  }
}
}
})json";

}  // namespace

Json open_api(std::string_view what) {
  constexpr std::string_view kNode = "node";
  std::string text = kDescription;
  const auto replace_all = [&](std::string_view word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
      text.replace(at, word.size(), by);
    }
  };
  if (what != kNode) {
    const std::string other(what);
    replace_all(kNode, other);
    replace_all("Nodes", static_cast<char>(other[0] - 'a' + 'A') + other.substr(1) + "s");
  }
  return Json::parse(text);
}

}  // namespace tacit::launcher
