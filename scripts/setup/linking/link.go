package main

// Set-up adds this file to the language hosts that it builds, because they are older than the CLI. Their `Link` expects
// the request of CLIs before 3.203, in which field 2 was a map. This `Link` expects the request of current CLIs.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

// registerHost registers the language host, with `Link` replaced.
func registerHost(server *grpc.Server, host pulumirpc.LanguageRuntimeServer) {
	service := pulumirpc.LanguageRuntime_ServiceDesc
	service.Methods = append([]grpc.MethodDesc{}, service.Methods...)
	for i := range service.Methods {
		if service.Methods[i].MethodName == "Link" {
			service.Methods[i].Handler = handleLink
		}
	}
	server.RegisterService(&service, host)
}

// handleLink answers the request. It uses empty messages, which keep all fields as unknown fields.
func handleLink(
	_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor,
) (any, error) {
	request := &emptypb.Empty{}
	if err := decode(request); err != nil {
		return nil, err
	}
	program, paths, err := parseLinkRequest(request.ProtoReflect().GetUnknown())
	if err != nil {
		return nil, err
	}
	instructions := []string{"Import the SDK in your program:\n"}
	for _, path := range paths {
		line, err := linkPackage(ctx, program, filepath.ToSlash(path))
		if err != nil {
			return nil, fmt.Errorf("linking %s: %w", path, err)
		}
		instructions = append(instructions, "  "+line)
	}
	text := strings.Join(instructions, "\n") + "\n"
	answer := &emptypb.Empty{}
	answer.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), text))
	return answer, nil
}

// parseLinkRequest returns the program (field 1) and the packages' paths (field 3), relative to the program's root.
func parseLinkRequest(message []byte) (*pulumirpc.ProgramInfo, []string, error) {
	program := &pulumirpc.ProgramInfo{}
	var paths []string
	err := eachField(message, func(field protowire.Number, value []byte) error {
		switch field {
		case 1:
			return proto.Unmarshal(value, program)
		case 3:
			return eachField(value, func(field protowire.Number, value []byte) error {
				if field == 2 {
					paths = append(paths, string(value))
				}
				return nil
			})
		}
		return nil
	})
	return program, paths, err
}

// eachField calls a function with each field of a message that has a length, such as a string or a message.
func eachField(message []byte, call func(protowire.Number, []byte) error) error {
	for len(message) > 0 {
		field, kind, length := protowire.ConsumeTag(message)
		if length < 0 {
			return protowire.ParseError(length)
		}
		message = message[length:]
		size := protowire.ConsumeFieldValue(field, kind, message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(message)
			if err := call(field, value); err != nil {
				return err
			}
		}
		message = message[size:]
	}
	return nil
}
